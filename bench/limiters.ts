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

const LIMITERS: Record<string, () => Limiter> = {
	'this package': () => new Own(),
	AIMD: () => new Aimd(),
	Gradient2: () => new Gradient2(),
};

/** The constants of the limiter were chosen on the services of these seeds. */
const DESIGN_SEEDS = { from: 1, count: 2_000 };
/** Those that are published: others for each release. */
const PUBLISHED_SEEDS = { from: seedOf(version), count: 500 };
const MOST = { median: 1.25, p95: 5.1, over: 5.5 };

/**
 * This package's limiter beside published algorithms on services drawn at random, in virtual time.
 *
 * @param from the first of other seeds to draw the services by
 * @returns a line a target
 */
export function benchLimiters(say: (text: string) => void, from?: number): string[] {
	const published = from === undefined ? PUBLISHED_SEEDS : { ...PUBLISHED_SEEDS, from };
	const results: string[] = [];
	for (const seeds of [DESIGN_SEEDS, published]) {
		say(`\n${seeds.count} services, seeds from ${seeds.from}${seeds === DESIGN_SEEDS ? ' (design)' : ''}\n`);
		for (const [name, create] of Object.entries(LIMITERS)) {
			if (seeds === DESIGN_SEEDS && name !== 'this package') continue;
			const outcomes = Array.from({ length: seeds.count }, (_, index) =>
				simulate(draw(seeds.from + index), create, seeds.from + index),
			);
			say(`${table(figures(name, outcomes))}\n`);
			if (seeds === published && name === 'this package') results.push(...judge(outcomes));
		}
	}
	return results;
}

function figures(name: string, outcomes: readonly Outcome[]): string[][] {
	const kinds = [...new Set(outcomes.map(({ service }) => service.kind))].sort();
	const classes: Array<[string, Outcome[]]> = [
		...kinds.map((kind): [string, Outcome[]] => [
			kind,
			outcomes.filter(({ service }) => service.kind === kind),
		]),
		...MODIFIERS.map((modifier): [string, Outcome[]] => [
			`  ${modifier}`,
			outcomes.filter(({ service }) => service.modifiers.includes(modifier)),
		]),
		['all', [...outcomes]],
	];
	return [
		[
			name,
			'services',
			'median',
			'p95',
			'429 median',
			'429 p95',
			'over p95',
			'no end',
			'failed',
			'in a pause',
		],
		...classes.map(([label, of]) => {
			const [ratios, shares] = [of.map(({ ratio }) => ratio), of.map(({ share }) => 100 * share)];
			const over = of.map((outcome) => outcome.over).filter(Number.isFinite);
			return [
				label,
				String(of.length),
				median(ratios).toFixed(2),
				quantile(ratios, 0.95).toFixed(2),
				`${median(shares).toFixed(1)}%`,
				`${quantile(shares, 0.95).toFixed(1)}%`,
				over.length > 0 ? quantile(over, 0.95).toFixed(2) : '–',
				String(of.filter(({ hasEnded }) => !hasEnded).length),
				String(of.reduce((sum, { failed }) => sum + failed, 0)),
				String(of.reduce((sum, { startedInPause }) => sum + startedInPause, 0)),
			];
		}),
	];
}

function judge(outcomes: readonly Outcome[]): string[] {
	const ratios = outcomes.map(({ ratio }) => ratio);
	const over = outcomes.map((outcome) => outcome.over).filter(Number.isFinite);
	const line = (what: string, value: number, most: number) =>
		`Limiter: ${what} ${value.toFixed(2)}, at most ${most}: ${verdict(value <= most)}`;
	return [
		line('median of the least time', median(ratios), MOST.median),
		line('p95 of the least time', quantile(ratios, 0.95), MOST.p95),
		line('at once over what is served, p95', quantile(over, 0.95), MOST.over),
		line('runs without end', outcomes.filter(({ hasEnded }) => !hasEnded).length, 0),
	];
}

/** The same for the same text, another for almost any other. */
function seedOf(text: string): number {
	let seed = 0;
	for (const letter of text) seed = (31 * seed + letter.charCodeAt(0)) % 1_000_003;
	return 10_000 + 500 * seed;
}
