import type { Attempt } from '../../../../../nodes/shared/http/retry';
import {
	CallQueue,
	type Waiting,
	callQueues,
	queueOf,
} from '../../../../../nodes/shared/http/concurrency/callQueue';
import { FIRST_WINDOW, LEAST_WINDOW, type Slot } from '../../../../../nodes/shared/http/concurrency/limiter';

const MINUTE = 60_000;
const RESPONDED: Attempt = { kind: 'response', response: { status: 200, headers: {}, body: undefined } };

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

const waiting = (more: Partial<Waiting> = {}): Waiting => ({
	openedAt: 0,
	giveUpAfterMs: 10 * MINUTE,
	...more,
});

const throttled = (status: number, retryAfterMs: number): Attempt => ({
	kind: 'status',
	status,
	retryAfterMs,
});

/** Calls of a run that want to start. @returns those that have */
function crowd(queue: CallQueue, count = FIRST_WINDOW, more: Partial<Waiting> = {}): Slot[] {
	const started: Slot[] = [];
	for (let call = 0; call < count; call++) {
		void queue.acquire(waiting(more)).then(
			(turn) => 'kind' in turn || started.push(turn),
			() => undefined,
		);
	}
	return started;
}

/** A queue whose places are taken. */
async function fullQueue(): Promise<{ queue: CallQueue; started: Slot[] }> {
	const queue = new CallQueue();
	const started = crowd(queue);
	await jest.advanceTimersByTimeAsync(0);
	return { queue, started };
}

describe('the queue of an account', () => {
	it('starts the first few calls at once and the others as places are released', async () => {
		const { queue, started } = await fullQueue();
		const others = crowd(queue, 2);
		await jest.advanceTimersByTimeAsync(0);
		expect([started.length, others.length]).toEqual([FIRST_WINDOW, 0]);
		for (const slot of started) queue.release(slot);
		await jest.advanceTimersByTimeAsync(0);
		expect(others).toHaveLength(2);
	});

	it('starts polls before repeated calls, and those before new ones', async () => {
		const { queue, started } = await fullQueue();
		crowd(queue, LEAST_WINDOW, { isUrgent: true });
		const order: string[] = [];
		void queue.acquire(waiting()).then(() => order.push('new'));
		void queue
			.acquire(waiting({ last: { kind: 'connection', code: 'ECONNRESET' } }))
			.then(() => order.push('repeated'));
		void queue.acquire(waiting({ isUrgent: true })).then(() => order.push('poll'));
		for (const slot of started) queue.release(slot);
		await jest.advanceTimersByTimeAsync(0);
		expect(order).toEqual(['poll', 'repeated', 'new']);
	});

	it('rejects calls that the pause outlasts, those that wait and those that come, with what asked for it', async () => {
		const { queue, started } = await fullQueue();
		const giveUpAfterMs = 5_000;
		const first = queue.acquire(waiting({ giveUpAfterMs }));
		queue.release(started[0] as Slot, throttled(503, 20_000));
		expect(await first).toMatchObject({ kind: 'pause', status: 503, pauseMs: 20_000 });
		expect(await queue.acquire(waiting({ giveUpAfterMs }))).toMatchObject({ status: 503 });
	});

	it('lets go of a cancelled call at once and leaves no timer behind', async () => {
		const { queue, started } = await fullQueue();
		queue.release(started[0] as Slot, throttled(429, 20_000));
		const stop = new AbortController();
		const cancelled = queue.acquire(waiting({ signal: stop.signal }));
		expect(jest.getTimerCount()).toBe(1);
		stop.abort(new Error('cancelled'));
		await expect(cancelled).rejects.toThrow('cancelled');
		expect(jest.getTimerCount()).toBe(0);
		await expect(queue.acquire(waiting({ signal: stop.signal }))).rejects.toThrow('cancelled');
	});

	it('is ready for the next item only while few calls wait', async () => {
		const { queue, started } = await fullQueue();
		crowd(queue, 2);
		let isReady = false;
		void queue.ready().then(() => (isReady = true));
		await jest.advanceTimersByTimeAsync(1000);
		expect(isReady).toBe(false);
		for (const slot of started) queue.release(slot, RESPONDED);
		await jest.advanceTimersByTimeAsync(0);
		expect(isReady).toBe(true);
	});
});

describe('the accounts of a process', () => {
	it('have one queue each, and only so many; one in use stays', async () => {
		expect(queueOf('one')).toBe(queueOf('one'));
		expect(queueOf('one')).not.toBe(queueOf('other'));
		const busy = queueOf('busy');
		await busy.acquire(waiting());
		for (let account = 0; account < 2000; account++) queueOf(String(account));
		expect(callQueues.size).toBeLessThanOrEqual(500);
		expect(queueOf('busy')).toBe(busy);
	});
});
