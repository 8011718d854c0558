import { poll } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import { attemptUntilDone } from '../../../nodes/shared/http/client';
import { CallQueue } from '../../../nodes/shared/http/concurrency/callQueue';
import type { Outcome } from '../../../nodes/shared/http/response';
import { HOST, HOUR, MINUTE, NOW, POLLED, SECOND, asStored, bookingsOf } from './support';

/** As poll/host.ts sets it. */
const PATIENCE_MS = 10 * SECOND;

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
	jest.useRealTimers();
});

let nodes = 0;

/** A trigger that n8n polls every minute, through the account's limiter, while the service behaves as `attempt` says. */
class PolledService {
	readonly begun = Date.now();
	/** When polls were made, when one emitted, and what the failed ones said, by the time since the beginning. */
	readonly polls: number[] = [];
	readonly emitted: number[] = [];
	readonly failures: string[] = [];
	private readonly queue = new CallQueue();
	private readonly id = `recovering ${++nodes}`;
	private readonly bookings: object[] = [];
	private state: unknown;

	constructor(private readonly attempt: (atMs: number, deadline: number) => Promise<Outcome | undefined>) {}

	get atMs(): number {
		return Date.now() - this.begun;
	}

	book(): void {
		const guid = String(this.bookings.length);
		const createdDate = new Date().toISOString();
		this.bookings.push({ guid, createdDate, changeDate: createdDate, status: 1 });
	}

	/** Polls every minute up to a time; a poll does not wait for the one before. */
	async pollUntil(endMs: number): Promise<void> {
		while (this.atMs <= endMs) {
			this.polls.push(this.atMs);
			void this.pollOnce();
			await jest.advanceTimersByTimeAsync(MINUTE);
		}
	}

	private async pollOnce(): Promise<void> {
		const host = {
			...HOST,
			...{ id: this.id, budgetMs: 5 * MINUTE },
			load: () => [this.state],
			save: (state: unknown) => (this.state = asStored(state)),
			fetch: async (_path: string, _query: object, deadline: number) => await this.fetch(deadline),
			now: () => Date.now(),
		};
		const settings = { ...POLLED, feed: bookingsOf('bookingCreated'), watching: 'bookingCreated' };
		try {
			if (await poll(host, settings)) this.emitted.push(this.atMs);
		} catch (error) {
			this.failures.push((error as Error).message);
		}
	}

	private async fetch(deadline: number): Promise<unknown> {
		const giveUpAt = Math.min(deadline, Date.now() + PATIENCE_MS);
		const outcome = await attemptUntilDone(this.queue, { method: 'GET', giveUpAt, deadline }, async () => {
			const body = [...this.bookings];
			const usual: Outcome = { kind: 'response', response: { status: 200, headers: {}, body: undefined } };
			const end = (await this.attempt(this.atMs, deadline)) ?? usual;
			return end.kind === 'response' ? { ...end, response: { ...end.response, body: body as never } } : end;
		});
		if (outcome.kind === 'response') return outcome.response.body;
		throw new Error(outcome.kind);
	}
}

/** A call that the service never answers ends when its time is over. */
async function hang(deadline: number): Promise<Outcome> {
	await new Promise((resolve) => setTimeout(resolve, deadline - Date.now()));
	return { kind: 'connection', code: 'ETIMEDOUT' };
}

describe('a poll once the service is well again', () => {
	it.each([0, 10, 20, 30, 40, 50, 59])(
		'is one of the next two after a hang of 3 minutes that began %s s after a poll, and at most 3 failed',
		async (seconds) => {
			const [from, to] = [MINUTE + seconds * SECOND, 4 * MINUTE + seconds * SECOND];
			const service = new PolledService(async (atMs, deadline) =>
				atMs >= from && atMs < to ? await hang(deadline) : undefined,
			);
			await service.pollUntil(0);
			service.book();
			await jest.advanceTimersByTimeAsync(0);
			if (seconds > 0) await service.pollUntil(MINUTE);
			service.book();
			await service.pollUntil(15 * MINUTE);
			const [, second = Infinity] = service.polls.filter((atMs) => atMs >= to);
			expect(service.emitted.filter((atMs) => atMs >= from)[0]).toBeLessThanOrEqual(second);
			expect(service.failures.length).toBeLessThanOrEqual(3);
		},
	);

	it('is one of the next two after a 429 that asked for an hour', async () => {
		let throttled = 0;
		const service = new PolledService(async (atMs) => {
			if (atMs < MINUTE || throttled++ > 0) return await Promise.resolve(undefined);
			return await Promise.resolve({ kind: 'status', status: 429, retryAfterMs: HOUR } satisfies Outcome);
		});
		await service.pollUntil(0);
		service.book();
		await service.pollUntil(15 * MINUTE);
		expect(service.emitted[0]).toBeLessThanOrEqual(3 * MINUTE + 30 * SECOND);
		expect(service.failures.length).toBeLessThanOrEqual(2);
	});
});
