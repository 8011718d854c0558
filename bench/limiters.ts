import { createRequire } from 'node:module';
import type { Limiter } from './limiters/client.ts';
import { Aimd, Gradient2 } from './limiters/published.ts';
import { draw, MODIFIERS, type Outcome, simulate } from './limiters/services.ts';
import { median, quantile, table, verdict } from './report.ts';

const require = createRequire(import.meta.url);
// Pure and without imports: it runs from the source.
const { Limiter: Own } = require('../nodes/shared/http/concurrency/limiter.ts') as {
	Limiter: new () => Limiter;
};
const { version } = require('../package.json') as { version: string };

const OWN = 'this package';
const LIMITERS = { [OWN]: () => new Own(), AIMD: () => new Aimd(), Gradient2: () => new Gradient2() };
/** The constants of the limiter were chosen on the services of the seeds from 1; those published change by release. */
const DESIGN = { from: 1, count: 2_000 };
const PUBLISHED = { from: seedOf(version), count: 500 };

/**
 * This package's limiter beside published algorithms on services drawn at random, in virtual time.
 *
 * @param from the first of other seeds to draw the services by
 * @returns a line a target
 */
export function benchLimiters(say: (text: string) => void, from = PUBLISHED.from): string[] {
	const run = (name: string, create: () => Limiter, seeds: typeof DESIGN) => {
		const all = Array.from({ length: seeds.count }, (_, index) => seeds.from + index);
		const outcomes = all.map((seed) => simulate(draw(seed), create, seed));
		say(`\nSeeds from ${seeds.from}\n\n${table(figures(name, outcomes))}\n`);
		return outcomes;
	};
	run(OWN, LIMITERS[OWN], DESIGN);
	const seeds = { ...PUBLISHED, from };
	const [outcomes = []] = Object.entries(LIMITERS).map(([name, create]) => run(name, create, seeds));
	const { ratios, over } = valuesOf(outcomes);
	const line = (what: string, value: number, most: number) =>
		`Limiter, ${what}: ${value.toFixed(2)}, at most ${most}: ${verdict(value <= most)}`;
	return [
		line('median of the least time', median(ratios), 1.25),
		line('p95 of the least time', quantile(ratios, 0.95), 5.1),
		line('in flight over what is served, p95', quantile(over, 0.95), 5.5),
		line('runs without an end', outcomes.filter(({ hasEnded }) => !hasEnded).length, 0),
	];
}

function figures(name: string, outcomes: readonly Outcome[]): string[][] {
	const kinds = [...new Set(outcomes.map(({ service }) => service.kind))].sort();
	const rows = [...kinds, ...MODIFIERS, 'all'].map((label) => {
		const of = outcomes.filter(({ service: { kind, modifiers } }) =>
			[kind, ...modifiers, 'all'].includes(label),
		);
		const { ratios, shares, over } = valuesOf(of);
		const counts = [
			of.filter(({ hasEnded }) => !hasEnded).length,
			...(['failed', 'startedInPause'] as const).map((key) => of.reduce((sum, one) => sum + one[key], 0)),
		];
		return [
			label,
			String(of.length),
			median(ratios).toFixed(2),
			quantile(ratios, 0.95).toFixed(2),
			`${quantile(shares, 0.95).toFixed(1)}%`,
			over.length > 0 ? quantile(over, 0.95).toFixed(2) : '–',
			...counts.map(String),
		];
	});
	return [
		[name, 'services', 'median', 'p95', '429 p95', 'over p95', 'no end', 'failed', 'in a pause'],
		...rows,
	];
}

function valuesOf(outcomes: readonly Outcome[]) {
	return {
		ratios: outcomes.map(({ ratio }) => ratio),
		shares: outcomes.map(({ share }) => 100 * share),
		over: outcomes.map(({ over }) => over).filter(Number.isFinite),
	};
}

/** The same for the same text, another for almost any other. */
function seedOf(text: string): number {
	const hash = [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 1_000_003, 0);
	return 10_000 + 500 * hash;
}
