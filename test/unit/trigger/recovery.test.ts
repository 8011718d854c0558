import { CallQueue } from '../../../nodes/shared/http/concurrency/callQueue';
import type { CallOutcome } from '../../../nodes/shared/http/response';
import { HOUR, MINUTE, NOW, Polled, SECOND, feedOf } from './support';

/** As poll/host.ts sets it. */
const PATIENCE_MS = 10 * SECOND;

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

/**
 * A trigger that n8n polls every minute, not waiting for the poll before, through the account's limiter.
 *
 * @param attempt how the service behaves, by the time since the beginning
 * @param bookedBefore the polls, by their minute, before which a booking is made
 * @returns when polls were made and when one emitted, and what the failed ones said
 */
async function pollEveryMinute(
	attempt: (atMs: number, deadline: number) => Promise<CallOutcome | undefined>,
	bookedBefore: number[],
) {
	const queue = new CallQueue();
	const bookings: object[] = [];
	const [polls, emitted, failures]: [number[], number[], string[]] = [[], [], []];
	const atMs = () => Date.now() - NOW;
	const trigger = new Polled(feedOf('bookingCreated'));
	Object.defineProperty(trigger, 'now', { get: () => Date.now() });
	trigger.answer = async (_query, until) => {
		const deadline = performance.now() + until - Date.now();
		const limits = { isSafe: true, openedAt: performance.now(), giveUpAfterMs: PATIENCE_MS, deadline };
		const outcome = await queue.send(limits, async () => {
			const response = { status: 200, headers: {}, body: [...bookings] };
			return (await attempt(atMs(), deadline)) ?? { kind: 'response', response };
		});
		if (outcome.kind === 'response') return outcome.response.body;
		throw new Error(outcome.kind);
	};
	for (let minute = 0; minute <= 15; minute++) {
		const createdDate = new Date().toISOString();
		const made = { createdDate, changeDate: createdDate, status: 1 };
		bookings.push(
			...bookedBefore.flatMap((one, index) => (one === minute ? { guid: `${index}`, ...made } : [])),
		);
		polls.push(atMs());
		void trigger.poll().then(
			(names) => names.length > 0 && emitted.push(atMs()),
			({ message }: Error) => failures.push(message),
		);
		await jest.advanceTimersByTimeAsync(MINUTE);
	}
	return { polls, emitted, failures };
}

/** A call that the service never answers ends when its time is over. */
async function hang(deadline: number): Promise<CallOutcome> {
	await new Promise((resolve) => setTimeout(resolve, deadline - performance.now()));
	return { kind: 'connection', code: 'ETIMEDOUT' };
}

describe('a poll once the service is well again', () => {
	it.each([0, 10, 20, 30, 40, 50, 59])(
		'is one of the next two after a hang of 3 minutes that began %s s after a poll, and at most 3 failed',
		async (seconds) => {
			const [from, to] = [MINUTE + seconds * SECOND, 4 * MINUTE + seconds * SECOND];
			const { polls, emitted, failures } = await pollEveryMinute(
				async (atMs, deadline) => (atMs >= from && atMs < to ? await hang(deadline) : undefined),
				[1, seconds > 0 ? 2 : 1],
			);
			const [, second = Infinity] = polls.filter((atMs) => atMs >= to);
			expect(emitted.filter((atMs) => atMs >= from)[0]).toBeLessThanOrEqual(second);
			expect(failures.length).toBeLessThanOrEqual(3);
		},
	);

	it('is one of the next two after a 429 that asked for an hour', async () => {
		let throttled = 0;
		const { emitted, failures } = await pollEveryMinute(
			async (atMs) => {
				if (atMs < MINUTE || throttled++ > 0) return await Promise.resolve(undefined);
				return await Promise.resolve({
					kind: 'status',
					status: 429,
					retryAfterMs: HOUR,
				} satisfies CallOutcome);
			},
			[1],
		);
		expect(emitted[0]).toBeLessThanOrEqual(3 * MINUTE + 30 * SECOND);
		expect(failures.length).toBeLessThanOrEqual(2);
	});
});
