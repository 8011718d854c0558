import type { CallFault } from '../../../../nodes/shared/errors/callFault';
import { attemptUntilDone } from '../../../../nodes/shared/http/client';
import { CallQueue } from '../../../../nodes/shared/http/concurrency/callQueue';
import { FIRST_WINDOW, LEAST_WINDOW } from '../../../../nodes/shared/http/concurrency/limiter';
import type { Outcome } from '../../../../nodes/shared/http/response';

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

const MINUTE = 60_000;
const answered = (status: number, retryAfterMs?: number): Outcome =>
	status === 200
		? { kind: 'response', response: { status, headers: {}, body: undefined } }
		: { kind: 'status', status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };

/** Makes a call whose attempts end like this, the last again and again. */
async function call(
	ends: readonly Outcome[],
	{ method = 'PUT', patienceMs = 10 * MINUTE, deadlineMs = Infinity, queue = new CallQueue() } = {},
) {
	let attempts = 0;
	const limits = {
		method,
		giveUpAt: Date.now() + patienceMs,
		...(deadlineMs === Infinity ? {} : { deadline: Date.now() + deadlineMs }),
	};
	const done = attemptUntilDone(queue, limits, async () => {
		return await Promise.resolve(ends[Math.min(attempts++, ends.length - 1)] as Outcome);
	}).catch((reason: unknown) => reason);
	const began = Date.now();
	await jest.runAllTimersAsync();
	const end = await done;
	return { end, attempts, tookMs: Date.now() - began };
}

describe('a call that the service refuses for now', () => {
	it('is repeated more than three times, a change included, until it goes through', async () => {
		const { end, attempts } = await call([...Array.from({ length: 8 }, () => answered(429)), answered(200)]);
		expect(end).toEqual(answered(200));
		expect(attempts).toBe(9);
	});

	it('is given up when its time is over', async () => {
		const { end, attempts, tookMs } = await call([answered(429)], { patienceMs: MINUTE });
		expect(end).toEqual(answered(429));
		expect(attempts).toBeGreaterThan(4);
		expect(tookMs).toBeGreaterThanOrEqual(MINUTE);
		expect(tookMs).toBeLessThan(MINUTE + 5_000);
	});

	it('is given up at once where the pause outlasts its time', async () => {
		const { end, attempts, tookMs } = await call([answered(429, 120_000)], { patienceMs: MINUTE });
		expect(end).toEqual(answered(429, 120_000));
		expect(attempts).toBe(1);
		expect(tookMs).toBe(0);
	});

	it('is not tried in a pause that another call was told of, but for a probe', async () => {
		const queue = new CallQueue();
		await call([answered(503, 3_600_000)], { patienceMs: MINUTE, queue });
		const probe = await call([answered(429, 3_600_000)], { patienceMs: MINUTE, queue });
		expect(probe).toMatchObject({ attempts: 1, tookMs: 10_000 });
		const { end, attempts, tookMs } = await call([answered(200)], { patienceMs: MINUTE, queue });
		expect(end).toMatchObject({ fault: { kind: 'pause', status: 429, pauseMs: 3_600_000 } });
		expect({ attempts, tookMs }).toEqual({ attempts: 0, tookMs: 0 });
	});
});

describe('a call that ends another way', () => {
	it('is repeated three times where it may', async () => {
		expect(await call([answered(502)], { method: 'GET' })).toMatchObject({ attempts: 4 });
		expect(await call([answered(502)], { method: 'PUT' })).toMatchObject({ attempts: 1 });
	});

	it('has its three repeats besides those after refusals', async () => {
		const ends = [answered(429), answered(502), answered(429), answered(502), answered(502), answered(200)];
		expect(await call(ends, { method: 'GET' })).toMatchObject({ end: answered(200), attempts: 6 });
	});

	it.each<Outcome>([
		answered(503),
		{ kind: 'connection', code: 'ECONNRESET' },
		{ kind: 'connection', code: 'ETIMEDOUT' },
	])('is repeated by a fifth of the calls only in an outage of %j, and says so', async (outage) => {
		const queue = new CallQueue();
		const calls = Array.from({ length: 100 }, async () => await call([outage], { method: 'GET', queue }));
		const done = await Promise.all(calls);
		expect(done.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThanOrEqual(120);
		expect(done.filter(({ end }) => (end as CallFault).isOverBudget).length).toBeGreaterThan(80);
	});

	it('is not repeated after its deadline', async () => {
		expect(await call([answered(502)], { method: 'GET', deadlineMs: 10 })).toMatchObject({ attempts: 1 });
	});
});

test('a call that is throttled until its deadline ends as rate-limited', async () => {
	jest.useRealTimers();
	const deadline = Date.now() + 200;
	const limits = { method: 'GET', giveUpAt: deadline + MINUTE, deadline };
	const throttled = attemptUntilDone(
		new CallQueue(),
		limits,
		async () => await Promise.resolve(answered(429)),
	);
	expect(await throttled).toEqual(answered(429));
});

test('a call that never gets its turn before its deadline was not sent, and says so', async () => {
	jest.useRealTimers();
	const queue = new CallQueue();
	const limits = { giveUpAt: Date.now() + 10 * MINUTE, isUrgent: true };
	for (let others = 0; others < FIRST_WINDOW + LEAST_WINDOW; others++) await queue.acquire(limits);
	const deadline = Date.now() + 5;
	const late = attemptUntilDone(queue, { method: 'GET', giveUpAt: deadline, deadline }, async () => {
		return await Promise.resolve(answered(200));
	});
	await expect(late).rejects.toMatchObject({ fault: { kind: 'waited' } });
});
