import {
	CallController,
	MAX_PAUSE_MS,
	type StartedCall,
} from '../../../../../nodes/shared/http/concurrency/controller';
import { FIRST_WINDOW, MAX_WINDOW } from '../../../../../nodes/shared/http/concurrency/latencyWindow';

/** Starts calls as long as one may start at this time. */
function startAll(controller: CallController, now: number): StartedCall[] {
	const calls: StartedCall[] = [];
	while (controller.nextStart(now) === now) calls.push(controller.start(now));
	return calls;
}

/** Rounds of 100 ms in which every call is answered. */
function answerRounds(controller: CallController, rounds: number, from = 0): number {
	let now = from;
	let calls = startAll(controller, now);
	for (let step = 1; step <= rounds * 20; step++) {
		now = from + step * 5;
		for (const call of calls.filter(({ startedAt }) => now - startedAt >= 100))
			controller.end(call, { kind: 'answered' }, now);
		calls = [...calls.filter(({ startedAt }) => now - startedAt < 100), ...startAll(controller, now)];
	}
	for (const call of calls) controller.end(call, { kind: 'answered' }, call.startedAt + 100);
	return now + 100;
}

describe('the number of calls at once', () => {
	it('starts low', () => {
		expect(startAll(new CallController(0), 0)).toHaveLength(FIRST_WINDOW);
	});

	it('grows to 200 and no further where the service bears it', () => {
		const controller = new CallController(0);
		const now = answerRounds(controller, 20);
		let most = 0;
		for (let at = now; controller.nextStart(at) !== undefined; at++) {
			if (controller.nextStart(at) === at) most = controller.start(at).underWay;
		}
		expect(most).toBe(MAX_WINDOW);
	});

	it.each([
		['one more call start', 300, 1],
		['two more calls start over a long trip, though half of it is the wait for the token,', 600, 2],
	])('lets %s for each of the first answers', (_what, took, more) => {
		const controller = new CallController(0);
		const started = startAll(controller, 0).flatMap((call) => {
			controller.end(call, { kind: 'answered' }, took);
			return startAll(controller, took);
		});
		// The last answer ends the round, after which starts are spread.
		expect(started.at(-1)?.underWay).toBe(FIRST_WINDOW + more * (FIRST_WINDOW - 1));
	});

	it('falls below the level that was refused', () => {
		const controller = new CallController(0);
		const now = answerRounds(controller, 3);
		const calls: StartedCall[] = [];
		for (let at = now; controller.nextStart(at) !== undefined; at++)
			if (controller.nextStart(at) === at) calls.push(controller.start(at));
		const last = calls[calls.length - 1] as StartedCall;
		const at = last.startedAt + 1;
		controller.end(last, { kind: 'refused' }, at);
		for (const call of calls.slice(0, -1)) controller.end(call, { kind: 'answered' }, at + 99);
		let most = 0;
		for (let later = at + 99; controller.nextStart(later) !== undefined; later++)
			if (controller.nextStart(later) === later) most = controller.start(later).underWay;
		expect(most).toBeLessThan(last.underWay);
		expect(most).toBeGreaterThanOrEqual(Math.floor(0.75 * last.underWay));
	});

	it('is never below one', () => {
		const controller = new CallController(0);
		let now = 0;
		for (let refusals = 0; refusals < 50; refusals++) {
			now = controller.nextStart(now) ?? Number.NaN;
			controller.end(controller.start(now), { kind: 'refused' }, now + 1);
			now++;
		}
		expect(controller.nextStart(now)).toBeGreaterThanOrEqual(now);
	});
});

/**
 * Two rounds of 100 ms, then rounds of 300 ms for two seconds.
 *
 * @param busyPart of the time of the slow rounds that this process itself is at work
 * @returns the fewest calls under way in the slow rounds
 */
function fewestInSlowRounds(busyPart: number): number {
	const controller = new CallController(0);
	let calls = startAll(controller, 0);
	let fewest = Number.POSITIVE_INFINITY;
	for (let now = 1; now <= 2200; now++) {
		const isSlow = now > 200;
		const busyMs = isSlow ? busyPart * (now - 200) : 0;
		const ended = calls.filter(({ startedAt }) => now - startedAt >= (isSlow ? 300 : 100));
		for (const call of ended) controller.end(call, { kind: 'answered' }, now, busyMs);
		calls = [...calls.filter((call) => !ended.includes(call)), ...startAll(controller, now)];
		if (now > 600) fewest = Math.min(fewest, calls.length);
	}
	return fewest;
}

describe('latency of this process itself', () => {
	it('does not take places from calls as that of the service does', () => {
		expect(fewestInSlowRounds(0)).toBeLessThan(5);
		expect(fewestInSlowRounds(0.99)).toBeGreaterThan(10);
	});
});

describe('a pause that the service asks for', () => {
	it('holds back every call until its end', () => {
		const controller = new CallController(0);
		const [first, ...others] = startAll(controller, 0);
		controller.end(first as StartedCall, { kind: 'refused', pauseMs: 5000 }, 100);
		for (const call of others) controller.end(call, { kind: 'answered' }, 101);
		expect(controller.nextStart(200)).toBeGreaterThanOrEqual(5100);
		expect(controller.pauseEnds).toBe(5100);
	});

	it('is not cut short by a later, shorter one', () => {
		const controller = new CallController(0);
		const [first, second] = startAll(controller, 0);
		controller.end(first as StartedCall, { kind: 'refused', pauseMs: 5000 }, 100);
		controller.end(second as StartedCall, { kind: 'refused', pauseMs: 1000 }, 101);
		expect(controller.pauseEnds).toBe(5100);
	});

	it('lasts 10 minutes at most', () => {
		const controller = new CallController(0);
		controller.end(controller.start(0), { kind: 'refused', pauseMs: 86_400_000 }, 1);
		expect(controller.pauseEnds).toBe(1 + MAX_PAUSE_MS);
	});

	it('outlives what was learned', () => {
		const controller = new CallController(0);
		controller.end(controller.start(0), { kind: 'refused', pauseMs: 300_000 }, 1);
		const early = controller.start(100_000);
		controller.end(early, { kind: 'answered' }, 100_100);
		expect(controller.pauseEnds).toBe(300_001);
	});
});

describe('a service that refuses everything', () => {
	it('is asked less and less often, at last every two seconds', () => {
		const controller = new CallController(0);
		const starts: number[] = [];
		for (let now = 0; starts.length < 12;) {
			now = controller.nextStart(now) ?? Number.NaN;
			starts.push(now);
			controller.end(controller.start(now), { kind: 'refused' }, now + 5);
			now += 5;
		}
		const waits = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
		expect(waits.slice(-5).every((wait) => Math.round(wait) >= 2000)).toBe(true);
		expect(waits[0]).toBeLessThan(1000);
	});
});

test('what was learned is forgotten after a minute without a call', () => {
	const controller = new CallController(0);
	for (let refusals = 0, now = 0; refusals < 10; refusals++) {
		now = controller.nextStart(now) ?? Number.NaN;
		controller.end(controller.start(now), { kind: 'refused' }, now + 1);
	}
	const much = 1_000_000;
	expect(startAll(controller, much).length).toBe(FIRST_WINDOW);
});
