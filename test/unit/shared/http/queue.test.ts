import type { CallFailure } from '../../../../nodes/shared/errors/failure';
import { CallQueue, queueOf } from '../../../../nodes/shared/http/queue';
import type { CallResult } from '../../../../nodes/shared/http/response';

type Limits = Parameters<CallQueue['send']>[0];

/** Calls that a new account has in flight at most, and that any account may have. */
const FIRST_WINDOW = 16;
const LEAST_WINDOW = 3;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const done: CallResult = {
	kind: 'response',
	response: { status: 200, headers: {}, body: undefined },
};
const answered = (status: number, retryAfterMs?: number): CallResult => ({
	kind: 'status',
	status,
	...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

beforeEach(() => {
	jest.useFakeTimers();
});

afterEach(() => {
	jest.useRealTimers();
});

/** Makes a call whose attempts end like this, the last again and again. */
async function call(
	ends: readonly CallResult[],
	{ method = 'PUT', patienceMs = MINUTE, deadlineMs = Infinity, queue = new CallQueue() } = {},
) {
	const attemptedAt: number[] = [];
	const began = performance.now();
	const deadline = deadlineMs === Infinity ? {} : { deadline: began + deadlineMs };
	const limits = {
		isSafe: method === 'GET',
		openedAt: began,
		giveUpAfterMs: patienceMs,
		...deadline,
	};
	const ended = queue.send(limits, async () => {
		const attempt = attemptedAt.push(performance.now());
		return await Promise.resolve(ends[Math.min(attempt, ends.length) - 1] as CallResult);
	});
	await jest.runAllTimersAsync();
	const waitsMs = attemptedAt.slice(1).map((at, index) => at - Number(attemptedAt[index]));
	const tookMs = performance.now() - began;
	return { end: await ended, attempts: attemptedAt.length, waitsMs, tookMs };
}

/** Sends calls that hang. @returns the outcomes that they can be given, by when they have started */
function hang(queue: CallQueue, count = FIRST_WINDOW, more: Partial<Limits> = {}) {
	const started: Array<(outcome: CallResult) => void> = [];
	const ended = Array.from({ length: count }, async () => {
		const limits = { isSafe: false, openedAt: 0, giveUpAfterMs: 10 * MINUTE, ...more };
		return await queue.send(
			limits,
			async () => await new Promise<CallResult>((end) => started.push(end)),
		);
	});
	return { started, ended };
}

/** A queue whose places are taken. */
async function fullQueue() {
	const queue = new CallQueue();
	const { started } = hang(queue);
	await jest.advanceTimersByTimeAsync(0);
	return { queue, started };
}

describe('a call that the service refuses for now', () => {
	it('is given up at once where the pause outlasts its time', async () => {
		const end = answered(429, 2 * MINUTE);
		jest.advanceTimersByTime(MINUTE);
		expect(await call([end])).toMatchObject({ end, attempts: 1, tookMs: 0 });
	});

	it('is not tried in a pause that another call was told of, but for one a minute', async () => {
		const queue = new CallQueue();
		await call([answered(429, HOUR)], { queue });
		await jest.advanceTimersByTimeAsync(1_000);
		const failure = { kind: 'status', status: 429, retryAfterMs: HOUR - 1_000, isUnsent: true };
		expect(await call([done], { queue })).toMatchObject({ end: failure, attempts: 0, tookMs: 0 });
		await jest.advanceTimersByTimeAsync(MINUTE);
		expect(await call([done], { queue })).toMatchObject({ end: done, attempts: 1, tookMs: 0 });
	});

	it('with a 503 that asks for a pause keeps it alone: other calls go on', async () => {
		const queue = new CallQueue();
		const one = call([answered(503, 20_000), done], { queue });
		const other = await call([done], { queue });
		expect([(await one).attempts, other.end]).toEqual([2, done]);
	});

	it('counts its time from when it began and none got through; what was sent before and gets through is none', async () => {
		const queue = new CallQueue();
		const slow = hang(queue, 1);
		const ends: Array<[outcome: CallResult, atMs: number]> = [];
		const refuse = (giveUpAfterMs: number) => {
			const limits = { isSafe: false, openedAt: performance.now(), giveUpAfterMs };
			const said = { text: 'No', fields: [] };
			const refused = queue.send(
				limits,
				async () => await Promise.resolve({ ...answered(429), said }),
			);
			void refused.then((outcome) => ends.push([outcome, performance.now()]));
		};
		await jest.advanceTimersByTimeAsync(1_000);
		refuse(3 * MINUTE);
		await jest.advanceTimersByTimeAsync(30_000);
		refuse(MINUTE);
		await jest.advanceTimersByTimeAsync(15_000);
		slow.started[0]?.(done);
		await jest.advanceTimersByTimeAsync(10 * MINUTE);
		const { said, ...unsaid } = ends[0]?.[0] as CallResult & CallFailure;
		expect([said, unsaid]).toEqual([undefined, { ...answered(429), isUnsent: true }]);
		expect(ends.map(([, atMs]) => Math.floor(atMs / 3_000))).toEqual([30, 60]);
	});

	it('is given up by its own time, though polls get through', async () => {
		const queue = new CallQueue();
		const limits = { isSafe: false, openedAt: 0, giveUpAfterMs: MINUTE };
		const giveUp = jest.fn();
		void queue.send(limits, async () => await Promise.resolve(answered(429))).then(giveUp);
		for (let ms = 0; ms < MINUTE + 10_000; ms += 2_000) {
			void queue.send({ ...limits, deadline: HOUR }, async () => await Promise.resolve(done));
			await jest.advanceTimersByTimeAsync(2_000);
		}
		expect(giveUp).toHaveBeenCalled();
	});

	it('ends as rate-limited by its deadline', async () => {
		const { end, tookMs } = await call([answered(429)], { deadlineMs: 5_000 });
		expect(end).toMatchObject(answered(429));
		expect(tookMs).toBeLessThanOrEqual(5_000);
	});
});

describe('a call that ends another way', () => {
	it.each<
		[
			what: string,
			ends: CallResult[],
			more: { method: string; deadlineMs?: number },
			attempts: number,
		]
	>([
		['is repeated three times where it may', [answered(502)], { method: 'GET' }, 4],
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

	it.each([
		['least', 0, [250, 500, 1000], 4000],
		['most', 1, [500, 1000, 2000], 8000],
	])(
		'waits longer each time and spreads parallel calls: at %s',
		async (_, random, waitsMs, longest) => {
			const drawn = jest.spyOn(Math, 'random').mockReturnValue(random);
			const broken = answered(502);
			const late = [...Array<CallResult>(9).fill(answered(429)), broken, done];

			expect((await call([broken], { method: 'GET' })).waitsMs).toEqual(waitsMs);
			expect((await call(late, { method: 'GET' })).waitsMs.at(-1)).toBe(longest);
			drawn.mockRestore();
		},
	);

	it.each<[CallResult, number]>([
		[answered(503, 7_000), 7_000],
		[answered(429, 7_000), 7_000],
		[answered(429), 80],
		[{ kind: 'connection', code: 'ECONNREFUSED' }, 80],
	])('waits as it is asked to, and briefly where nothing is asked: %j', async (failure, ms) => {
		expect((await call([failure, done])).waitsMs).toEqual([ms]);
	});
});

describe('the queue of an account', () => {
	it('starts the first few calls at once and the others as places are released', async () => {
		const { queue, started } = await fullQueue();
		const others = hang(queue, 2);
		await jest.advanceTimersByTimeAsync(0);
		expect([started.length, others.started.length]).toEqual([FIRST_WINDOW, 0]);
		for (const end of started) end(done);
		await jest.advanceTimersByTimeAsync(0);
		expect(others.started).toHaveLength(2);
	});

	it('starts polls before repeated calls, and those before new ones', async () => {
		const { queue, started } = await fullQueue();
		const deadline = HOUR;
		hang(queue, LEAST_WINDOW, { deadline });
		const order: string[] = [];
		const send = async (name: string, more: object, ends: CallResult[]) =>
			await queue.send({ isSafe: true, openedAt: 0, giveUpAfterMs: MINUTE, ...more }, async () => {
				order.push(name);
				return await Promise.resolve(ends.shift() ?? done);
			});
		void send('repeated', {}, [answered(429)]);
		for (const end of started.splice(0, LEAST_WINDOW + 1)) end(done);
		await jest.advanceTimersByTimeAsync(0);
		void send('new', {}, []);
		void send('poll', { deadline }, []);
		for (const end of started) end(done);
		await jest.advanceTimersByTimeAsync(MINUTE);
		expect(order).toEqual(['repeated', 'poll', 'repeated', 'new']);
	});

	it('rejects calls that the pause outlasts, those that wait and those that come, with what asked for it', async () => {
		const { queue, started } = await fullQueue();
		const giveUpAfterMs = 5_000;
		const [first] = hang(queue, 1, { giveUpAfterMs }).ended;
		started[0]?.(answered(429, 20_000));
		expect(await first).toMatchObject({ status: 429, retryAfterMs: 20_000, isUnsent: true });
		expect(await hang(queue, 1, { giveUpAfterMs }).ended[0]).toMatchObject({ status: 429 });
	});

	it('has places for polls beside calls that hang; a poll that gets none ends by its deadline as not sent', async () => {
		const { queue } = await fullQueue();
		const polls = hang(queue, LEAST_WINDOW, { deadline: HOUR });
		await jest.advanceTimersByTimeAsync(0);
		expect(polls.started).toHaveLength(LEAST_WINDOW);
		expect(await call([done], { queue, deadlineMs: 50 })).toMatchObject({
			end: { kind: 'waited' },
			attempts: 0,
		});
	});

	it('lets go of a cancelled call at once', async () => {
		const { queue } = await fullQueue();
		const stop = new AbortController();
		const [cancelled] = hang(queue, 1, { signal: stop.signal }).ended;
		stop.abort(new Error('cancelled'));
		await expect(cancelled).rejects.toThrow('cancelled');
		await expect(hang(queue, 1, { signal: stop.signal }).ended[0]).rejects.toThrow('cancelled');
	});

	it('keeps no cancelled call for the rest of a pause', async () => {
		const stop = new AbortController();
		const { started, ended } = hang(new CallQueue(), 1, { signal: stop.signal });
		await jest.advanceTimersByTimeAsync(0);
		started[0]?.(answered(503, 20_000));
		await jest.advanceTimersByTimeAsync(0);
		const left = jest.fn();
		ended[0]?.catch(left);
		stop.abort();
		await jest.advanceTimersByTimeAsync(0);
		expect(left).toHaveBeenCalled();
	});

	it('gives no place to calls that were cancelled while they waited', async () => {
		const { queue, started } = await fullQueue();
		const stop = new AbortController();
		const cancelled = hang(queue, 40, { signal: stop.signal });
		const rejected = Promise.allSettled(cancelled.ended);
		await jest.advanceTimersByTimeAsync(0);
		stop.abort(new Error('cancelled'));
		await rejected;
		const others = hang(queue);
		for (const end of started) end(done);
		await jest.advanceTimersByTimeAsync(0);
		expect([cancelled.started.length, others.started.length]).toEqual([0, FIRST_WINDOW]);
	});

	it('is ready for the next item only while few calls wait', async () => {
		const { queue, started } = await fullQueue();
		hang(queue, 2);
		let isReady = false;
		void queue.ready().then(() => (isReady = true));
		await jest.advanceTimersByTimeAsync(1000);
		expect(isReady).toBe(false);
		for (const end of started) end(done);
		await jest.advanceTimersByTimeAsync(0);
		expect(isReady).toBe(true);
	});
});

describe('the accounts of a process', () => {
	it('have one queue each, and only so many', () => {
		expect(queueOf('one')).toBe(queueOf('one'));
		expect(queueOf('one')).not.toBe(queueOf('other'));
		const kept = queueOf('one');
		for (let account = 0; account < 499; account++) queueOf(String(account));
		expect(queueOf('one')).toBe(kept);
		for (let account = 0; account < 1_000; account++) queueOf(String(account));
		expect(queueOf('one')).not.toBe(kept);
	});
});
