import {
	FIRST_WINDOW,
	LEAST_WINDOW,
	Limiter,
	MAX_WINDOW,
	type Slot,
} from '../../../../../nodes/shared/http/concurrency/limiter';

const HOUR = 3_600_000;
const throttled = (status: number, pauseMs?: number) => ({ kind: 'throttled', status, pauseMs }) as const;

/** Starts calls as long as one may start at this time. */
function startAll(limiter: Limiter, now: number): Slot[] {
	const slots: Slot[] = [];
	while (limiter.nextStart(now) === now) slots.push(limiter.acquire(now));
	return slots;
}

/** A run without end. @returns how many calls have responded when the time is over, how many not, and the longest time without a start */
function run(limiter: Limiter, ms: number, tookOf: (call: number) => number) {
	const ends = new Map<number, Slot[]>();
	let [calls, responded, lastStart, longest] = [0, 0, 0, 0];
	for (let now = 0; now < ms; now++) {
		const ended = ends.get(now) ?? [];
		ends.delete(now);
		responded += ended.length;
		for (const slot of ended) limiter.release(slot, { kind: 'responded' }, now);
		const started = startAll(limiter, now);
		longest = Math.max(longest, now - lastStart);
		if (started.length > 0) lastStart = now;
		for (const slot of started) {
			const end = now + tookOf(calls++);
			ends.set(end, [...(ends.get(end) ?? []), slot]);
		}
	}
	return { responded, longest, inFlight: calls - responded };
}

describe('concurrency', () => {
	it('starts low, and grows to 200 and no further where the service takes it', () => {
		expect(startAll(new Limiter(), 0)).toHaveLength(FIRST_WINDOW);
		expect(run(new Limiter(), 5_000, () => 100).inFlight).toBe(MAX_WINDOW);
	});

	it('tries a service that throttles everything ever less often, at last every two seconds', () => {
		const limiter = new Limiter();
		const starts: number[] = [];
		for (let now = 0; starts.length < 12; now += 5) {
			now = limiter.nextStart(now);
			starts.push(now);
			limiter.release(limiter.acquire(now), throttled(429), now + 5);
		}
		const waits = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
		expect(waits[0]).toBeLessThan(1000);
		expect(waits.slice(-3)).toEqual([2000, 2000, 2000]);
	});

	it('narrows with each call that fails, and widens with none that leaves it unused', () => {
		const limiter = new Limiter();
		for (let now = 0; now < 1_000; now += 10)
			limiter.release(limiter.acquire(now), { kind: 'responded' }, now + 5);
		const slots = startAll(limiter, 1_000);
		expect(slots).toHaveLength(FIRST_WINDOW);
		for (const slot of slots) limiter.release(slot, { kind: 'failed' }, 1_010);
		expect(startAll(limiter, 1_010)).toHaveLength(LEAST_WINDOW);
	});

	it('is held down once by calls that are throttled together, and no longer once one gets through', () => {
		const limiter = new Limiter();
		for (const slot of startAll(limiter, 0)) limiter.release(slot, throttled(429), 10);
		const now = limiter.nextStart(10);
		expect(now).toBeLessThan(100);
		limiter.release(limiter.acquire(now), { kind: 'responded' }, now + 5);
		expect(limiter.nextStart(now + 5)).toBeLessThan(now + 20);
	});

	it('is learned anew after a minute without a call', () => {
		const limiter = new Limiter();
		run(limiter, 5_000, () => 100);
		expect(startAll(limiter, 100_000)).toHaveLength(FIRST_WINDOW);
	});
});

describe('a call that hangs', () => {
	it.each([2, 10, 100])('holds no other up, were it one in %i', (part) => {
		const { responded, longest } = run(new Limiter(), 20_000, (call) => (call % part === 0 ? HOUR : 100));
		expect(responded).toBeGreaterThan(200);
		expect(longest).toBeLessThanOrEqual(1_000);
	});

	it('counts ten seconds at most, the first ones too', () => {
		const { longest, inFlight } = run(new Limiter(), 300_000, () => HOUR);
		expect(longest).toBeLessThanOrEqual(10_000);
		expect(inFlight).toBeLessThan(200);
	});

	it('leaves places for calls with a budget', () => {
		const limiter = new Limiter();
		startAll(limiter, 0);
		for (let poll = 0; poll < LEAST_WINDOW; poll++) {
			expect(limiter.nextStart(1, true)).toBe(1);
			limiter.acquire(1);
		}
		expect(limiter.nextStart(1, true)).toBe(10_000);
	});
});

describe('a pause that the service asks for', () => {
	/** A limiter that was told of pauses, each at a time, by calls that were in flight together. */
	function pausedBy(...pauses: Array<[at: number, status: number, pauseMs: number]>): Limiter {
		const limiter = new Limiter();
		const slots = startAll(limiter, 0);
		for (const [at, status, pauseMs] of pauses)
			limiter.release(slots.pop() as Slot, throttled(status, pauseMs), at);
		for (const slot of slots) limiter.release(slot, { kind: 'responded' }, 200);
		return limiter;
	}

	it('is kept by every call up to a minute, is not cut short by another, and is known by its status', () => {
		const limiter = pausedBy([100, 503, 60_000], [101, 429, 1_000]);
		expect(limiter.pauseAt(200)).toMatchObject({ status: 503, endsAt: 60_100 });
		expect(limiter.nextStart(200)).toBeGreaterThanOrEqual(60_100);
		expect(limiter.nextStart(200, true)).toBeGreaterThanOrEqual(60_100);
		expect(limiter.pauseAt(60_100)).toBeUndefined();
	});

	it('is probed where it is longer, by one call at a time, ever less often, at last every minute', () => {
		const limiter = pausedBy([0, 503, HOUR]);
		const probes: number[] = [];
		for (let now = 0; probes.length < 6;) {
			now = limiter.nextStart(now);
			const slot = limiter.acquire(now);
			probes.push(now);
			expect(limiter.nextStart(now, true)).toBe(now + 10_000);
			limiter.release(slot, throttled(503, HOUR - now), now);
		}
		expect(probes).toEqual([10_000, 30_000, 70_000, 130_000, 190_000, 250_000]);
		limiter.acquire(400_000);
		expect(limiter.pauseAt(400_000)).toMatchObject({ status: 503, endsAt: HOUR });
	});

	it('is over for all once a probe has its response, or as long as that says', () => {
		const limiter = pausedBy([0, 503, HOUR]);
		limiter.release(limiter.acquire(10_000), throttled(429, 5_000), 10_050);
		expect(limiter.pauseAt(10_050)).toMatchObject({ status: 429, endsAt: 15_050 });
		const again = pausedBy([0, 503, HOUR]);
		again.release(again.acquire(10_000), { kind: 'responded' }, 10_050);
		expect(startAll(again, 10_050)).toHaveLength(FIRST_WINDOW);
	});
});

describe('a service that is reached by some calls only', () => {
	/** Four calls, started one after the other. */
	const four = (limiter: Limiter) =>
		[0, 1, 2, 3].map((at) => limiter.acquire(at)) as [Slot, Slot, Slot, Slot];
	const isPaused = (limiter: Limiter, now: number) => limiter.pauseAt(now) !== undefined;

	it.each([
		['what one instance of several says is soon no pause of all', throttled(503, HOUR)],
		['what cannot be reached by one call holds up no other for long', { kind: 'unreachable' } as const],
	])('%s', (_, end) => {
		const limiter = new Limiter();
		const [first, second, third, fourth] = four(limiter);
		limiter.release(first, end, 10);
		expect(isPaused(limiter, 10)).toBe(true);
		limiter.release(second, { kind: 'responded' }, 11);
		expect(isPaused(limiter, 11)).toBe(true);
		limiter.release(third, { kind: 'responded' }, 12);
		expect(isPaused(limiter, 12)).toBe(false);
		limiter.release(fourth, end, 13);
		expect(isPaused(limiter, 13)).toBe(false);
	});

	it('429 is the account, whatever other calls come to', () => {
		const limiter = new Limiter();
		const [first, ...others] = four(limiter);
		limiter.release(first, throttled(429, 5_000), 10);
		for (const other of others) limiter.release(other, { kind: 'responded' }, 20);
		expect(limiter.pauseAt(20)).toMatchObject({ status: 429, endsAt: 5_010 });
	});

	it('is tried by one call at a time while nothing listens, soon at first and then every two seconds', () => {
		const limiter = new Limiter();
		const together = limiter.acquire(0);
		const waits: number[] = [];
		for (let now = 0; waits.length < 7;) {
			limiter.release(limiter.acquire(now), { kind: 'unreachable' }, now);
			if (now === 0) limiter.release(together, { kind: 'unreachable' }, 40);
			const next = limiter.nextStart(now);
			waits.push(next - now);
			now = next;
		}
		expect(waits).toEqual([80, 160, 320, 640, 1_280, 2_000, 2_000]);
		expect(limiter.pauseAt(HOUR)).toMatchObject({ endsAt: Infinity });
	});

	it.each(['responded', 'failed'] as const)('is back once a call that tries has %s', (kind) => {
		const limiter = new Limiter();
		limiter.release(limiter.acquire(0), { kind: 'unreachable' }, 0);
		const probe = limiter.acquire(80);
		expect(limiter.nextStart(81)).toBe(10_080);
		limiter.release(probe, { kind }, 100);
		expect(isPaused(limiter, 100)).toBe(false);
		expect(limiter.nextStart(100)).toBe(100);
	});
});

describe('a rate that the service throttles', () => {
	/** A hundred calls a second, until one is throttled. */
	function throttledAt100(pauseMs?: number): [limiter: Limiter, now: number] {
		const limiter = new Limiter();
		let now = 0;
		for (; now < 3_000; now += 10) limiter.release(limiter.acquire(now), { kind: 'responded' }, now + 5);
		limiter.release(limiter.acquire(now), throttled(429, pauseMs), now + 5);
		return [limiter, now + 5];
	}
	/** @returns milliseconds between starts of quick calls one after the other, but for the first, which may catch up */
	function spacing(limiter: Limiter, from: number): number {
		const starts = [0, 1, 2].map(() => {
			const start = limiter.nextStart(from);
			limiter.release(limiter.acquire(start), { kind: 'responded' }, start);
			return start;
		});
		return limiter.nextStart(from) - (starts[2] ?? 0);
	}

	it('falls just below what got through, and comes back with time', () => {
		const [limiter, now] = throttledAt100();
		expect(spacing(limiter, now)).toBeCloseTo(11, 0);
		expect(spacing(limiter, now + 2_000)).toBeLessThan(10);
	});

	it('is kept after a pause too', () => {
		const [limiter, now] = throttledAt100(1_000);
		expect(limiter.nextStart(now)).toBe(now + 1_000);
		expect(spacing(limiter, now + 1_000)).toBeCloseTo(11, 0);
	});
});
