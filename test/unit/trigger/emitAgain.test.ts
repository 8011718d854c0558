import { dueFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { Feed, Query } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { type PollSettings, poll } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import { HOST, HOUR, MINUTE, NOW, NO_FILTERS, POLLED, asStored, at, bookingsOf } from './support';

const SINCE = NOW - HOUR;

const booking = (guid: string, minutes: number) => ({
	...{ guid, createdDate: at(minutes), changeDate: at(minutes), status: 1 },
	...{ start: at(minutes + 600), end: at(minutes + 660) },
});

let nodes = 0;

/** A trigger that is polled once a minute, and what the service holds. */
class Polled {
	records: object[] = [];
	queries: Query[] = [];
	fails = false;
	state: unknown;
	/** With durable cursors a poll that fails is not stored. */
	isDurable = false;
	private minutes = 0;
	private id = `again ${++nodes}`;

	constructor(
		private readonly feed: Feed,
		readonly settings: Partial<PollSettings> = {},
	) {}

	/** n8n ends and starts again. */
	restart(): void {
		this.id = `again ${++nodes}`;
	}

	async polls(count: number): Promise<Array<string[] | string>> {
		const outcomes = [];
		while (outcomes.length < count) outcomes.push(await this.poll());
		return outcomes;
	}

	/** @returns the names of what came out, `*` for what is marked; or what the poll told */
	async poll(publishing = false): Promise<string[] | string> {
		const now = NOW + ++this.minutes * MINUTE;
		let state = this.state;
		const host = {
			...HOST,
			...{ id: this.id, publishing },
			load: () => [this.state],
			save: (next: unknown) => (state = asStored(next)),
			fetch: async (_path: string, query: Query) => {
				this.queries.push(query);
				if (this.fails && this.queries.length % 2 === 0) throw new Error('ECONNRESET');
				return await Promise.resolve(this.records);
			},
			now: () => now,
		};
		const settings = {
			...POLLED,
			feed: this.feed,
			watching: JSON.stringify([this.feed.kind === 'due' ? 'bookingStartsSoon' : 'bookingCreated']),
			...this.settings,
		};
		try {
			const output = await poll(host, settings);
			this.state = state;
			return output ?? [];
		} catch (error) {
			if (!this.isDurable) this.state = state;
			const { notices = [], message } = error as Error & { notices?: string[] };
			return notices.join() || message;
		}
	}
}

const DONE = (count: number) =>
	`'Emit Again Since' is done: ${count} items since ${at(-60)} came out again. For another time, enter it`;

async function begun(settings: Partial<PollSettings> = {}) {
	const trigger = new Polled(bookingsOf('bookingCreated'), settings);
	trigger.records = [booking('old', -90), booking('a', -30), booking('b', -20)];
	await trigger.poll(true);
	trigger.records.push(booking('c', 1));
	await trigger.poll();
	return trigger;
}

describe("'Emit Again Since'", () => {
	it('emits what has happened since then once more, marked, once, and says so once', async () => {
		const trigger = await begun();
		trigger.settings.againSince = SINCE;
		expect(await trigger.polls(3)).toEqual([['a*', 'b*', 'c*'], DONE(3), []]);
		trigger.restart();
		expect(await trigger.poll(true)).toEqual([]);
		expect(await trigger.poll()).toEqual([]);
	});

	it('does so again for another time, and not when the first poll finds it', async () => {
		const trigger = await begun({ againSince: SINCE });
		expect(await trigger.poll()).toEqual([]);
		trigger.settings.againSince = NOW;
		expect(await trigger.poll()).toEqual(['c*']);
	});

	it('goes in batches of Max Items per Poll, beside what is new, which comes once and unmarked', async () => {
		const trigger = await begun();
		Object.assign(trigger.settings, { againSince: SINCE, maxItems: 2 });
		trigger.records.push(booking('d', 2));
		expect(await trigger.poll()).toEqual(['d', 'a*', 'b*']);
		trigger.records.push(booking('e', 3));
		expect(await trigger.polls(3)).toEqual([['e', 'c*'], DONE(3), []]);
	});

	it('leaves to the trigger what still waits for room there', async () => {
		const trigger = await begun({ maxItems: 1 });
		trigger.records.push(booking('d', 2), booking('e', 2.5), booking('f', 2.6));
		trigger.settings.againSince = NOW + MINUTE / 2;
		const out = (await trigger.polls(6)).flat();
		expect(out.filter((one) => /^[d-f]$/.test(one))).toEqual(['d', 'e', 'f']);
		expect(out.filter((one) => one.endsWith('*'))).toEqual(['c*']);
	});

	it('waits for a later poll where its call fails, and does not hold up what is new', async () => {
		const trigger = await begun();
		trigger.queries = [];
		trigger.settings.againSince = SINCE;
		trigger.fails = true;
		trigger.records.push(booking('d', 2));
		expect(await trigger.poll()).toEqual(['d']);
		expect(await trigger.poll()).toBe('ECONNRESET');
		trigger.fails = false;
		expect(await trigger.poll()).toEqual(['a*', 'b*', 'c*', 'd*']);
	});

	it('does not hold up publishing', async () => {
		const trigger = await begun();
		trigger.settings.againSince = SINCE;
		trigger.queries = [];
		expect(await trigger.poll(true)).toEqual([]);
		expect(trigger.queries).toHaveLength(1);
		expect(await trigger.poll()).toEqual(['a*', 'b*', 'c*']);
	});

	it('says so once with durable cursors, which do not store a poll that fails', async () => {
		const trigger = await begun();
		trigger.isDurable = true;
		trigger.settings.againSince = SINCE;
		expect(await trigger.polls(5)).toEqual([['a*', 'b*', 'c*'], DONE(3), [], [], []]);
	});

	it('brings bookings that were due, within Max Age', async () => {
		const trigger = new Polled(dueFeed('bookingStartsSoon', 10 * HOUR, NO_FILTERS, []));
		await trigger.poll(true);
		trigger.records = [booking('due', 1.5), booking('not yet', 90)];
		expect(await trigger.poll()).toEqual(['due']);
		trigger.settings.againSince = SINCE;
		expect(await trigger.polls(3)).toEqual([['due*'], DONE(1), []]);
	});

	it('brings customers by the time of their last change', async () => {
		const trigger = new Polled(customerFeed('customerCreated'));
		const customer = (id: number, minutes: number) => ({ id, lastChangedUtc: at(minutes) });
		trigger.records = [customer(1, -90), customer(2, -30)];
		await trigger.poll(true);
		trigger.records.push(customer(3, 1));
		expect(await trigger.poll()).toEqual(['3']);
		trigger.settings.againSince = SINCE;
		expect(await trigger.poll()).toEqual(['2*', '3*']);
	});
});

it("emits the last batch again with 'Re-Emit After Restart' until n8n has taken it, though the workflow was published again meanwhile", async () => {
	const trigger = new Polled(bookingsOf('bookingCreated'), { reEmit: true, maxItems: 1 });
	await trigger.poll(true);
	trigger.records = [booking('a', 1), booking('b', 1.5)];
	expect(await trigger.poll()).toEqual(['a']);
	// n8n has stored the state and ends before it starts the run.
	trigger.restart();
	const { state } = trigger;
	expect(await trigger.poll()).toEqual(['a*']);
	// The workflow is published again: what the poll came to is dropped.
	trigger.state = state;
	expect(await trigger.polls(3)).toEqual([['a*'], ['b'], []]);
});
