import { createRequire } from 'node:module';
import type { Limiter } from './limiters/client.ts';
import { Aimd, Gradient2 } from './limiters/published.ts';
import { draw, type Outcome, simulate } from './limiters/services.ts';
import { median, quantile, table, verdict } from './report.ts';

const require = createRequire(import.meta.url);
// Pure and without imports: it runs from the source.
const { Limiter: Own } = require('../nodes/shared/http/concurrency/limiter.ts') as {
	Limiter: new () => Limiter;
};
const { version } = require('../package.json') as { version: string };

const LIMITERS = {
	'this package': () => new Own(),
	AIMD: () => new Aimd(),
	Gradient2: () => new Gradient2(),
};
const SERVICES = 500;

/**
 * This package's limiter beside published algorithms on services drawn at random, in virtual time.
 *
 * @param from the first of the seeds to draw the services by; each release draws others
 * @returns a line a target
 */
export function benchLimiters(say: (text: string) => void, from = seedOf(version)): string[] {
	const seeds = Array.from({ length: SERVICES }, (_, index) => from + index);
	const [own = []] = Object.entries(LIMITERS).map(([name, create]) => {
		const outcomes = seeds.map((seed) => simulate(draw(seed), create, seed));
		say(`\nSeeds from ${from}\n\n${table(figures(name, outcomes))}\n`);
		return outcomes;
	});
	const line = (what: string, value: number, most: number) =>
		`Limiter, ${what}: ${value.toFixed(2)}, at most ${most}: ${verdict(value <= most)}`;
	return [
		line('median of the least time', median(own.map(({ ratio }) => ratio)), 1.25),
		line('p95 of the least time', p95(own.map(({ ratio }) => ratio)), 5.1),
		line('in flight over what is served, p95', p95(own.map(({ over }) => over)), 5.5),
		line('runs without an end', own.filter(({ hasEnded }) => !hasEnded).length, 0),
	];
}

function figures(name: string, outcomes: readonly Outcome[]): string[][] {
	const kinds = [...new Set(outcomes.map(({ service }) => service.kind))].sort();
	const rows = [...kinds, 'all'].map((label) => {
		const of = outcomes.filter(({ service }) => [service.kind, 'all'].includes(label));
		const ratios = of.map(({ ratio }) => ratio);
		return [
			label,
			String(of.length),
			median(ratios).toFixed(2),
			p95(ratios).toFixed(2),
			`${p95(of.map(({ share }) => 100 * share)).toFixed(1)}%`,
			p95(of.map(({ over }) => over)).toFixed(2),
			String(of.filter(({ hasEnded }) => !hasEnded).length),
		];
	});
	return [[name, 'services', 'median', 'p95', '429 p95', 'over p95', 'no end'], ...rows];
}

/** Of those that have the value. */
function p95(values: readonly number[]): number {
	return quantile(values.filter(Number.isFinite), 0.95);
}

/** The same for the same text, another for almost any other. */
function seedOf(text: string): number {
	const hash = [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 1_000_003, 0);
	return 10_000 + 500 * hash;
}
