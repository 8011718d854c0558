import range from 'lodash/range.js';
import '../scripts/packageSources.ts';
import { draw, simulate, summarize, TARGETS } from '../test/model/concurrency/services.ts';
import { report } from './report.ts';

const { Limiter } = await import('../nodes/shared/http/limiter.ts');

const SERVICES = 2_000;

/** This package's limiter on services drawn at random, in virtual time. @param from the first of the seeds to draw them by */
export function benchLimiter(from: number): void {
	const all = summarize(
		range(from, from + SERVICES).map((seed) => simulate(draw(seed), () => new Limiter(), seed)),
	);
	for (const { what, of, most } of TARGETS) report(`Limiter, ${what}`, all[of], most);
}
