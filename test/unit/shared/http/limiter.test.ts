import { Limiter, MAX_WINDOW, type Slot } from '../../../../nodes/shared/http/limiter';

/** Calls that a new account has in flight at most, and that any account may have. */
const FIRST_WINDOW = 16;
const LEAST_WINDOW = 3;

const HOUR = 3_600_000;
const throttled = (pauseMs?: number) => ({ kind: 'throttled', pauseMs }) as const;

/** Starts calls as long as one may start at this time. */
function startAll(limiter: Limiter, now: number): Slot[] {
	const slots: Slot[] = [];
	while (limiter.nextStart(now) <= now) slots.push(limiter.acquire(now));
	return slots;
}

/** A run without end. @returns how many calls have responded when the time is over, how many not, and the longest time without a start */
function run(limiter: Limiter, ms: number, tookOf: (call: number) => number) {
	const ends = new Map<number, Slot[]>();
	let calls = 0;
	let responded = 0;
	let lastStart = 0;
	let longest = 0;
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

/** @returns the waits between attempts that each end like this */
function waitsOf(count: number, end: Parameters<Limiter['release']>[1]): number[] {
	const limiter = new Limiter();
	const starts: number[] = [];
	for (let now = 0; starts.length <= count; now += 5) {
		now = limiter.nextStart(now);
		starts.push(now);
		limiter.release(limiter.acquire(now), end, now + 5);
	}
	return starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
}

describe('concurrency', () => {
	it('starts low, and grows to 200 and no further where the service takes it', () => {
		expect(startAll(new Limiter(), 0)).toHaveLength(FIRST_WINDOW);
		expect(run(new Limiter(), 5_000, () => 100).inFlight).toBe(MAX_WINDOW);
	});

	it.each([
		['throttles everything', throttled()],
		['cannot be reached, or has no time for any call', { kind: 'notAccepted' } as const],
	])('of a service that %s is one, tried ever less often, at last every two seconds', (_, end) => {
		expect(waitsOf(8, end)).toEqual([80, 160, 320, 640, 1_280, 2_000, 2_000, 2_000]);
	});

	it('narrows with each call that fails, and widens with none that leaves it unused', () => {
		const limiter = new Limiter();
		for (let now = 0; now < 1_000; now += 10) {
			limiter.release(limiter.acquire(now), { kind: 'responded' }, now + 5);
		}
		const slots = startAll(limiter, 1_000);
		expect(slots).toHaveLength(FIRST_WINDOW);
		for (const slot of slots) limiter.release(slot, { kind: 'failed' }, 1_010);
		expect(startAll(limiter, 1_010)).toHaveLength(LEAST_WINDOW);
	});

	it.each([throttled(), { kind: 'notAccepted' } as const])(
		'is held down once by calls that end together by %j, and no longer once one gets through',
		(end) => {
			const limiter = new Limiter();
			for (const slot of startAll(limiter, 0)) limiter.release(slot, end, 10);
			const now = limiter.nextStart(10);
			expect(now).toBeLessThan(100);
			limiter.release(limiter.acquire(now), { kind: 'responded' }, now + 5);
			expect(limiter.nextStart(now + 5)).toBeLessThan(now + 20);
		},
	);

	it('is not one for a call that was not served while others were', () => {
		const limiter = new Limiter();
		const slots = startAll(limiter, 0);
		limiter.release(slots[0] as Slot, { kind: 'responded' }, 20);
		limiter.release(slots[1] as Slot, { kind: 'notAccepted' }, 21);
		expect(limiter.nextStart(21)).toBe(21);
		expect(startAll(limiter, 21)).not.toEqual([]);
	});

	it('learns nothing from a call that was given up on this side', () => {
		const limiter = new Limiter();
		for (const slot of startAll(limiter, 0)) limiter.release(slot, { kind: 'cancelled' }, 10_000);
		expect(startAll(limiter, 10_000)).toHaveLength(FIRST_WINDOW);
	});
});

describe('a call that hangs', () => {
	it('counts ten seconds at most', () => {
		const { longest, inFlight } = run(new Limiter(), 100_000, () => HOUR);
		expect(longest).toBeLessThanOrEqual(10_000);
		expect(inFlight).toBeLessThanOrEqual(10 * FIRST_WINDOW);
	});

	it('leaves places for calls with a deadline', () => {
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
	function pausedBy(...pauses: Array<[at: number, pauseMs: number]>): Limiter {
		const limiter = new Limiter();
		const slots = startAll(limiter, 0);
		for (const [at, pauseMs] of pauses) {
			limiter.release(slots.pop() as Slot, throttled(pauseMs), at);
		}
		for (const slot of slots) limiter.release(slot, { kind: 'responded' }, 200);
		return limiter;
	}

	it('is kept by every call, urgent ones too, and is not cut short by another', () => {
		const limiter = pausedBy([100, 50_000], [101, 1_000]);
		expect([limiter.nextStart(200), limiter.nextStart(200, true)]).toEqual([50_100, 50_100]);
		expect(limiter.nextStart(50_100)).toBe(50_100);
	});

	it('is tried by one call a minute where it is longer', () => {
		const limiter = pausedBy([1, HOUR]);
		expect(limiter.nextStart(200, true)).toBe(60_000);
		const slot = limiter.acquire(60_000);
		expect(limiter.nextStart(60_001, true)).toBe(120_000);
		limiter.release(slot, throttled(HOUR), 60_050);
		expect(limiter.nextStart(60_100)).toBe(120_000);
	});

	it('is over for all once a call that tries has its response', () => {
		const limiter = pausedBy([1, HOUR]);
		limiter.release(limiter.acquire(60_000), { kind: 'responded' }, 60_050);
		expect(limiter.nextStart(60_060)).toBeLessThan(60_200);
	});
});

describe('a rate that the service throttles', () => {
	/** A hundred calls a second, until one is throttled. */
	function throttledAt100(pauseMs?: number): [limiter: Limiter, now: number] {
		const limiter = new Limiter();
		let now = 0;
		for (; now < 3_000; now += 10) {
			limiter.release(limiter.acquire(now), { kind: 'responded' }, now + 5);
		}
		limiter.release(limiter.acquire(now), throttled(pauseMs), now + 5);
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

	it('is none where calls are a minute apart: one a minute is made after it', () => {
		const limiter = new Limiter();
		limiter.release(limiter.acquire(0), { kind: 'responded' }, 20);
		limiter.release(limiter.acquire(60_000), throttled(HOUR), 60_020);
		expect(limiter.nextStart(60_100)).toBe(120_000);
		limiter.release(limiter.acquire(120_000), { kind: 'responded' }, 120_020);
		expect(limiter.nextStart(120_100)).toBeLessThan(120_300);
	});

	it('is lowered where the next call after a pause is throttled at once', () => {
		const [limiter, now] = throttledAt100(1_000);
		const slot = limiter.acquire(now + 1_000);
		limiter.acquire(now + 1_020);
		limiter.release(slot, { kind: 'responded' }, now + 1_030);
		limiter.release(limiter.acquire(now + 1_040), throttled(1_000), now + 1_045);
		expect(spacing(limiter, now + 2_045)).toBeCloseTo(20.5, 0);
	});

	it('counts nothing that started behind the call that is throttled', () => {
		const limiter = new Limiter();
		const slots = startAll(limiter, 0);
		for (const slot of slots.slice(12)) limiter.release(slot, throttled(2_000), 5);
		for (const slot of slots.slice(0, 12)) limiter.release(slot, { kind: 'responded' }, 20);
		// Twelve in 80 ms, a tenth less.
		expect(spacing(limiter, 2_005)).toBeCloseTo(7.4, 1);
	});

	it('is kept after a pause too', () => {
		const [limiter, now] = throttledAt100(1_000);
		expect(limiter.nextStart(now)).toBe(now + 1_000);
		expect(spacing(limiter, now + 1_000)).toBeCloseTo(11, 0);
	});
});
