import { Clock, startClient } from './client.ts';
import {
	type Rules,
	createService,
	draw,
	leastFor,
	simulate,
	summarize,
	TARGETS,
} from './services.ts';
import { type CallEnd, Limiter, MAX_WINDOW, type Slot } from '../../../nodes/shared/http/limiter';
import { fc } from '../../support/property';

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

const ITEMS = 1_000;
const bucket = (perSecond: number, burst: number) => ({
	perSecond: () => perSecond,
	isWindow: false,
	burst,
});

test.each<
	[name: string, most: number, drawn: (part: number) => { callMs: number; rules: Partial<Rules> }]
>([
	[
		'served at once',
		1.2,
		(part) => ({ callMs: 60 + 60 * part, rules: { served: () => 20 + 15 * part } }),
	],
	[
		'429 above',
		1.45,
		(part) => ({ callMs: 80 + 60 * part, rules: { accepted: () => 30 + 50 * part } }),
	],
	['a rate', 1.25, (part) => ({ callMs: 20, rules: { rate: bucket(100 + 80 * part, 10) } })],
	[
		'a rate, Retry-After',
		1.92,
		(part) => ({
			callMs: 20,
			rules: { rate: bucket(100 + 80 * part, 5 + 100 * part), retryAfter: 2 },
		}),
	],
	[
		'a rate that allows nearly no burst, Retry-After',
		3.5,
		(part) => ({ callMs: 20, rules: { rate: bucket(100 + 80 * part, 2), retryAfter: 2 } }),
	],
	[
		'429 above, fewer half way',
		1.45,
		(part) => ({
			callMs: 80 + 40 * part,
			rules: { accepted: (total) => (total < 500 ? 100 : 20 + 15 * part) },
		}),
	],
])('finds the hidden limit soon: %s', (_, most, drawn) => {
	const ratios = Array.from({ length: 25 }, (__, index) => {
		const { callMs, rules } = drawn(index / 24);
		const service: Rules = { latency: () => callMs, refusalMs: 1, ...rules };
		const clock = new Clock();
		const send = createService(clock, service, () => 0);
		const work = { items: ITEMS, ownMs: 1, stalls: () => 0 };
		const client = startClient(clock, new Limiter(), send, work);
		while (client.left > 0 && clock.step(100_000));
		return client.ms / leastFor(service, ITEMS, callMs);
	});
	expect(Math.max(...ratios)).toBeLessThanOrEqual(most);
});

test('whatever order calls end in, at most 200 count, and the next may start after a while', () => {
	const anyEnd = fc.constantFrom<CallEnd>(
		{ kind: 'responded' },
		{ kind: 'throttled' },
		{ kind: 'throttled', pauseMs: 700 },
		{ kind: 'notAccepted' },
		{ kind: 'failed' },
		{ kind: 'cancelled' },
	);
	const steps = fc.array(fc.tuple(fc.boolean(), fc.nat(5000), fc.nat(300), anyEnd), {
		maxLength: 400,
	});
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
