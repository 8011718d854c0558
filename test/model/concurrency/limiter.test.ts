import fc from 'fast-check';

import { draw, simulate } from '../../../bench/limiters/services.ts';
import { median, quantile } from '../../../bench/report.ts';
import { type CallEnd, Limiter, MAX_WINDOW, type Slot } from '../../../nodes/shared/http/concurrency/limiter';

/** None that the limiter was designed on. */
const SEEDS = Array.from({ length: 500 }, (_, index) => 5_000 + index);

describe('on services drawn at random', () => {
	const outcomes = SEEDS.map((seed) => simulate(draw(seed), () => new Limiter(), seed));

	it('every run ends, nothing fails but by faults, and no call starts during a pause', () => {
		expect(outcomes.filter(({ hasEnded }) => !hasEnded)).toEqual([]);
		expect(outcomes.filter(({ failed, service }) => failed > 0 && !service.rules.hasFaults)).toEqual([]);
		expect(outcomes.filter(({ startedInPause }) => startedInPause > 0)).toEqual([]);
	});

	it('takes 1.25 times the least in the middle, and 5.1 times at p95', () => {
		const ratios = outcomes.map(({ ratio }) => ratio);
		expect(median(ratios)).toBeLessThanOrEqual(1.25);
		expect(quantile(ratios, 0.95)).toBeLessThanOrEqual(5.1);
	});

	it('has 5.5 times as many calls in flight as are served, at p95', () => {
		const over = outcomes.map((outcome) => outcome.over).filter(Number.isFinite);
		expect(quantile(over, 0.95)).toBeLessThanOrEqual(5.5);
	});
});

test('whatever order calls end in, at most 200 count, and the next may start after a while', () => {
	const anyEnd = fc.constantFrom<CallEnd>(
		{ kind: 'responded' },
		{ kind: 'throttled', status: 429 },
		{ kind: 'throttled', status: 503, pauseMs: 700 },
		{ kind: 'failed' },
		{ kind: 'cancelled' },
	);
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.boolean(), fc.nat(5000), fc.nat(300), anyEnd), { maxLength: 400 }),
			(steps) => {
				const limiter = new Limiter();
				const slots: Slot[] = [];
				let now = 0;
				for (const [starts, which, ms, end] of steps) {
					now += ms;
					const [slot] = slots.splice(which % Math.max(1, slots.length), 1);
					if (slot) limiter.release(slot, end, now);
					if (starts && limiter.nextStart(now) === now) slots.push(limiter.acquire(now));
					if (slots.some(({ inFlight }) => inFlight > MAX_WINDOW)) return false;
				}
				return limiter.nextStart(now) <= now + 10_000;
			},
		),
		{ numRuns: 200 },
	);
});
