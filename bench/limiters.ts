import mapValues from 'lodash/mapValues.js';
import range from 'lodash/range.js';
import round from 'lodash/round.js';
import packageJson from '../package.json' with { type: 'json' };
import '../scripts/packageSources.ts';
import { Aimd } from './limiters/aimd.ts';
import { draw, type Outcome, simulate, summarize, TARGETS } from './limiters/services.ts';
import type { Report } from './report.ts';

const { Limiter } = await import('../nodes/shared/http/concurrency/limiter.ts');

const LIMITERS = {
	'this package': () => new Limiter(),
	AIMD: () => new Aimd(),
};
const SERVICES = 500;

/**
 * This package's limiter beside AIMD on services drawn at random, in virtual time.
 *
 * @param from the first of the seeds to draw the services by; each release draws others
 */
export function benchLimiters(report: Report, from = seedOf(packageJson.version)): void {
	const seeds = range(from, from + SERVICES);
	const [own] = Object.entries(LIMITERS).map(([name, create]) => {
		const outcomes = seeds.map((seed) => simulate(draw(seed), create, seed));
		console.log(`\n${name}, seeds from ${from}`);
		console.table(figures(outcomes));
		return summarize(outcomes);
	});
	for (const { what, of, most } of TARGETS) report.add(`Limiter, ${what}:`, own?.[of] ?? Number.NaN, most);
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
