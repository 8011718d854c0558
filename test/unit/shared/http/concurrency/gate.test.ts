import type { StartedCall } from '../../../../../nodes/shared/http/concurrency/controller';
import { FIRST_WINDOW } from '../../../../../nodes/shared/http/concurrency/latencyWindow';
import { Gate, LongPauseError } from '../../../../../nodes/shared/http/concurrency/gate';
import { gateOf, gates } from '../../../../../nodes/shared/http/concurrency/gates';
import { useFakeTimers } from '../../../../support/fakeTimers';

const MINUTES_10 = 600_000;

beforeEach(() => {
	useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

const patience = (more: { signal?: AbortSignal; isRepeat?: boolean; giveUpAt?: number } = {}) => ({
	giveUpAt: Date.now() + MINUTES_10,
	isRepeat: false,
	...more,
});

/** Calls that want to start, and those that have. */
function crowd(gate: Gate, count: number): StartedCall[] {
	const started: StartedCall[] = [];
	for (let call = 0; call < count; call++) {
		void gate.enter(patience()).then(
			(admitted) => started.push(admitted),
			() => undefined,
		);
	}
	return started;
}

describe('the gate of an account', () => {
	it('lets the first few start at once and the others as places are given back', async () => {
		const gate = new Gate();
		const started = crowd(gate, FIRST_WINDOW + 2);
		await jest.advanceTimersByTimeAsync(0);
		expect(started).toHaveLength(FIRST_WINDOW);
		for (const call of [...started]) gate.leave(call, { kind: 'cancelled' });
		await jest.advanceTimersByTimeAsync(1000);
		expect(started).toHaveLength(FIRST_WINDOW + 2);
	});

	it('starts no call during a pause, and goes on after it', async () => {
		const gate = new Gate();
		const started = crowd(gate, 30);
		await jest.advanceTimersByTimeAsync(0);
		gate.leave(started[0] as StartedCall, { kind: 'refused', pauseMs: 20_000 });
		for (const call of started.slice(1)) gate.leave(call, { kind: 'answered' });
		await jest.advanceTimersByTimeAsync(19_999);
		expect(started).toHaveLength(FIRST_WINDOW);
		await jest.advanceTimersByTimeAsync(2_000);
		expect(started.length).toBeGreaterThan(FIRST_WINDOW);
	});

	it('lets a repeated call go first', async () => {
		const gate = new Gate();
		const started = crowd(gate, FIRST_WINDOW + 1);
		await jest.advanceTimersByTimeAsync(0);
		const order: string[] = [];
		void gate.enter(patience()).then(() => order.push('new'));
		void gate.enter(patience({ isRepeat: true })).then(() => order.push('repeated'));
		for (const call of [...started]) gate.leave(call, { kind: 'cancelled' });
		await jest.advanceTimersByTimeAsync(1000);
		expect(order).toEqual(['repeated', 'new']);
	});

	it('turns away at once who would give up before the pause is over, those who wait and those who come', async () => {
		const gate = new Gate();
		const started = crowd(gate, FIRST_WINDOW);
		await jest.advanceTimersByTimeAsync(0);
		const waiting = gate.enter(patience({ giveUpAt: Date.now() + 5_000 })).catch((reason: unknown) => reason);
		gate.leave(started[0] as StartedCall, { kind: 'refused', pauseMs: 20_000 });
		expect(await waiting).toBeInstanceOf(LongPauseError);
		const late = gate.enter(patience({ giveUpAt: Date.now() + 5_000 }));
		await expect(late).rejects.toMatchObject({ pauseMs: 20_000 });
	});

	it('lets go of a cancelled call at once, leaves its place to the next, and leaves no timer behind', async () => {
		const gate = new Gate();
		const started = crowd(gate, FIRST_WINDOW);
		await jest.advanceTimersByTimeAsync(0);
		gate.leave(started[0] as StartedCall, { kind: 'refused', pauseMs: 20_000 });
		for (const call of started.slice(1, 8)) gate.leave(call, { kind: 'answered' });
		const stop = new AbortController();
		const waiting = gate.enter(patience({ signal: stop.signal }));
		expect(jest.getTimerCount()).toBe(1);
		stop.abort(new Error('cancelled'));
		await expect(waiting).rejects.toThrow('cancelled');
		expect(jest.getTimerCount()).toBe(0);
		expect(gate.isIdle).toBe(false);
		for (const call of started.slice(8)) gate.leave(call, { kind: 'cancelled' });
		expect(gate.isIdle).toBe(true);
	});

	it('refuses a call that is cancelled already', async () => {
		const signal = AbortSignal.abort(new Error('cancelled'));
		await expect(new Gate().enter(patience({ signal }))).rejects.toThrow('cancelled');
		await expect(new Gate().turn(signal)).resolves.toBeUndefined();
	});

	it('calls for the next item only while few calls wait', async () => {
		const gate = new Gate();
		const started = crowd(gate, FIRST_WINDOW + 2);
		await jest.advanceTimersByTimeAsync(0);
		let isCalled = false;
		void gate.turn().then(() => (isCalled = true));
		await jest.advanceTimersByTimeAsync(1000);
		expect(isCalled).toBe(false);
		for (const call of [...started]) gate.leave(call, { kind: 'cancelled' });
		await jest.advanceTimersByTimeAsync(1000);
		expect(isCalled).toBe(true);
	});
});

describe('the gates of a process', () => {
	it('are one for each account', () => {
		expect(gateOf('one')).toBe(gateOf('one'));
		expect(gateOf('one')).not.toBe(gateOf('other'));
	});

	it('stay few, and the one that is in use stays', async () => {
		const busy = gateOf('busy');
		await busy.enter(patience());
		for (let account = 0; account < 2000; account++) gateOf(String(account));
		expect(gates.size).toBeLessThanOrEqual(500);
		expect(gateOf('busy')).toBe(busy);
	});
});
