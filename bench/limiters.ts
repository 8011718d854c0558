import { createRequire } from 'node:module';
import mapValues from 'lodash/mapValues.js';
import round from 'lodash/round.js';
import type { Limiter } from './limiters/client.ts';
import { Aimd, Gradient2 } from './limiters/published.ts';
import { draw, type Outcome, simulate, summarize, TARGETS } from './limiters/services.ts';
import { verdict } from './report.ts';

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
	const [own] = Object.entries(LIMITERS).map(([name, create]) => {
		const outcomes = seeds.map((seed) => simulate(draw(seed), create, seed));
		say(`\n${name}, seeds from ${from}`);
		console.table(figures(outcomes));
		return summarize(outcomes);
	});
	return TARGETS.map(({ what, of, most }) => {
		const value = own?.[of] ?? Number.NaN;
		return `Limiter, ${what}: ${value.toFixed(2)}, at most ${most}: ${verdict(value <= most)}`;
	});
}

/** By class of service, and for all of them. */
function figures(outcomes: readonly Outcome[]) {
	const kinds = [...new Set(outcomes.map(({ service }) => service.kind))].sort();
	const rows = [...kinds, 'all'].map((label) => {
		const some = outcomes.filter(({ service }) => [service.kind, 'all'].includes(label));
		const { median, p95, share, over, endless } = summarize(some);
		const row = { median, p95, '429 p95, %': 100 * share, 'over p95': over, 'no end': endless };
		return [label, { services: some.length, ...mapValues(row, (value) => round(value, 2)) }];
	});
	return Object.fromEntries(rows) as object;
}

/** The same for the same text, another for almost any other. */
function seedOf(text: string): number {
	const hash = [...text].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 1_000_003, 0);
	return 10_000 + 500 * hash;
}
