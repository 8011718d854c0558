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
const HOUR = 60 * MINUTE;
const done: Outcome = { kind: 'response', response: { status: 200, headers: {}, body: undefined } };
const answered = (status: number, retryAfterMs?: number): Outcome => ({
	...{ kind: 'status', status },
	...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** Makes a call whose attempts end like this, the last again and again. */
async function call(
	ends: readonly Outcome[],
	{ method = 'PUT', patienceMs = MINUTE, deadlineMs = Infinity, queue = new CallQueue() } = {},
) {
	let attempts = 0;
	const began = performance.now();
	const deadline = deadlineMs === Infinity ? {} : { deadline: began + deadlineMs };
	const limits = { isSafe: method === 'GET', openedAt: began, giveUpAfterMs: patienceMs, ...deadline };
	const ended = attemptUntilDone(queue, limits, async () => {
		return await Promise.resolve(ends[Math.min(attempts++, ends.length - 1)] as Outcome);
	}).catch((reason: unknown) => reason);
	await jest.runAllTimersAsync();
	const end = await ended;
	return { end, attempts, tookMs: performance.now() - began };
}

describe('a call that the service refuses for now', () => {
	it('is repeated more than three times, a change included, until it goes through', async () => {
		const ends = [...Array.from({ length: 8 }, () => answered(429)), done];
		expect(await call(ends, { patienceMs: 10 * MINUTE })).toMatchObject({ end: done, attempts: 9 });
	});

	it('is given up when its time is over', async () => {
		const { end, attempts, tookMs } = await call([answered(429)]);
		expect(end).toMatchObject(answered(429));
		expect(attempts).toBeGreaterThan(4);
		expect(tookMs).toBeGreaterThanOrEqual(MINUTE);
		expect(tookMs).toBeLessThan(MINUTE + 5_000);
	});

	it('is given up at once where the pause outlasts its time', async () => {
		const end = answered(429, 2 * MINUTE);
		expect(await call([end])).toMatchObject({
			end: { ...end, neededMs: 2 * MINUTE },
			attempts: 1,
			tookMs: 0,
		});
	});

	it('is not tried in a pause that another call was told of, but for a probe', async () => {
		const queue = new CallQueue();
		await call([answered(503, HOUR)], { queue });
		const probe = await call([answered(429, HOUR)], { queue });
		expect(probe).toMatchObject({ attempts: 1, tookMs: 10_000 });
		const fault = { kind: 'pause', status: 429, pauseMs: HOUR };
		expect(await call([done], { queue })).toMatchObject({ end: fault, attempts: 0, tookMs: 0 });
	});
});

describe('a call that ends another way', () => {
	it.each<[what: string, ends: Outcome[], more: { method: string; deadlineMs?: number }, attempts: number]>([
		['is repeated three times where it may', [answered(502)], { method: 'GET' }, 4],
		['is not repeated where it may not', [answered(502)], { method: 'PUT' }, 1],
		['is not repeated after its deadline', [answered(502)], { method: 'GET', deadlineMs: 10 }, 1],
		[
			'has its three repeats besides those after refusals',
			[...[429, 502, 429, 502, 502].map((status) => answered(status)), done],
			{ method: 'GET' },
			6,
		],
	])('%s', async (_, ends, more, attempts) => {
		expect(await call(ends, more)).toMatchObject({ end: ends.at(-1), attempts });
	});

	it.each<Outcome>([
		answered(503),
		{ kind: 'connection', code: 'ECONNRESET' },
		{ kind: 'connection', code: 'ETIMEDOUT' },
	])('is repeated by a fifth of the calls only in an outage of %j, and says so', async (outage) => {
		const queue = new CallQueue();
		const calls = Array.from({ length: 100 }, async () => await call([outage], { method: 'GET', queue }));
		const ended = await Promise.all(calls);
		expect(ended.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThanOrEqual(120);
		expect(ended.filter(({ end }) => (end as CallFault).isOverBudget).length).toBeGreaterThan(80);
	});
});

describe('by its deadline', () => {
	beforeEach(() => {
		jest.useRealTimers();
	});

	test('a call that is throttled until then ends as rate-limited', async () => {
		const deadline = performance.now() + 200;
		const limits = { isSafe: true, openedAt: 0, giveUpAfterMs: MINUTE, deadline };
		const throttled = async () => await Promise.resolve(answered(429));
		expect(await attemptUntilDone(new CallQueue(), limits, throttled)).toEqual(answered(429));
	});

	test('a call that never gets its turn was not sent, and says so', async () => {
		const queue = new CallQueue();
		const others = { openedAt: 0, giveUpAfterMs: 10 * MINUTE, isUrgent: true };
		for (let other = 0; other < FIRST_WINDOW + LEAST_WINDOW; other++) await queue.acquire(others);
		const deadline = performance.now() + 5;
		const limits = { isSafe: true, openedAt: 0, giveUpAfterMs: 5, deadline };
		const late = attemptUntilDone(queue, limits, async () => {
			return await Promise.resolve(done);
		});
		expect(await late).toEqual({ kind: 'waited' });
	});
});
