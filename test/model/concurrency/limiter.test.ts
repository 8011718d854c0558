import fc from 'fast-check';

import { draw, simulate, summarize, TARGETS } from '../../../bench/limiters/services.ts';
import { type CallEnd, Limiter, MAX_WINDOW, type Slot } from '../../../nodes/shared/http/concurrency/limiter';

/** None that the limiter was designed on. */
const SEEDS = Array.from({ length: 500 }, (_, index) => 5_000 + index);

test('on services drawn at random it is quick, overloads none, keeps every pause and ends every run', () => {
	const outcomes = SEEDS.map((seed) => simulate(draw(seed), () => new Limiter(), seed));
	expect(outcomes.filter(({ startedInPause }) => startedInPause > 0)).toEqual([]);
	const summary = summarize(outcomes);
	expect(TARGETS.filter(({ of, most }) => !(summary[of] <= most))).toEqual([]);
	const some = outcomes.filter(
		({ service }) => service.rules.served && service.level >= 10 && service.clients === 1,
	);
	expect(summarize(some).over).toBeLessThanOrEqual(3);
});

test('whatever order calls end in, at most 200 count, and the next may start after a while', () => {
	const anyEnd = fc.constantFrom<CallEnd>(
		{ kind: 'responded' },
		{ kind: 'throttled' },
		{ kind: 'throttled', pauseMs: 700 },
		{ kind: 'held' },
		{ kind: 'failed' },
		{ kind: 'cancelled' },
	);
	const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(5000), fc.nat(300), anyEnd), { maxLength: 400 });
	const property = fc.property(steps, (all) => {
		const limiter = new Limiter();
		const slots: Slot[] = [];
		let now = 0;
		for (const [starts, which, ms, end] of all) {
			now += ms;
			const [slot] = slots.splice(which % Math.max(1, slots.length), 1);
			if (slot) limiter.release(slot, end, now);
			if (starts && limiter.nextStart(now) === now) slots.push(limiter.acquire(now));
			if (slots.some(({ inFlight }) => inFlight > MAX_WINDOW)) return false;
		}
		return limiter.nextStart(now) <= now + 60_000;
	});
	fc.assert(property, { numRuns: 200 });
});
