import type { INodeParameters } from 'n8n-workflow';

import type { Poll, PollingWorkflow } from '../support/engine';
import { type Booking, type Service, useService } from '../support/service';

const here = useService();

const waitFor = (event: string, parameters: INodeParameters = {}): PollingWorkflow =>
	here.engine.trigger({
		node: 'hospitalityBookingTrigger',
		parameters: { event, output: 'raw', ...parameters },
	});

async function published(trigger: PollingWorkflow): Promise<PollingWorkflow> {
	await trigger.activate();
	return trigger;
}

const book = async (...given: Parameters<Service['book']>) => await here.service.book(...given);
const change = async (guid: string, fields: object) =>
	await here.service.control<Booking>('PATCH', `/bookings/${guid}`, fields);
const guids = ({ items }: Poll) => items?.map(({ json }) => json.guid) ?? null;
const guidsOf = (bookings: Booking[]) => bookings.map(({ guid }) => guid);
const sortedGuids = (bookings: Booking[]) => guidsOf(bookings).sort();
/** Of a poll that must not fail. */
const emitted = ({ items, error }: Poll) => {
	if (error) throw error;
	return (items ?? []).map(({ json }) => String(json.guid)).sort();
};
const tick = async () => await new Promise((resolve) => setTimeout(resolve, 5));

describe('on activation', () => {
	it('says to publish again where a bad moment of the service leaves nothing to begin from', async () => {
		await here.service.inject({ fault: { kind: 'rateLimit', status: 429, seconds: 50 } });
		const trigger = waitFor('bookingCreated');
		trigger.budgetMs = 5_000;
		await expect(trigger.activate()).rejects.toThrow(/429.*Publish the workflow again/);
	});
});

describe('each event', () => {
	it("Booking Updated brings with 'Add What Changed' which fields differ, and the simplified ones before", async () => {
		const [made] = await book(1, { guests: 2 });
		const guid = String(made?.guid);
		const trigger = await published(waitFor('bookingUpdated', { output: 'simplified' }));
		await trigger.reconfigure({ options: { whatChanged: true } });
		await tick();
		await change(guid, { guests: 6, chargePayedAmount: 50 });
		const [item] = (await trigger.poll()).items ?? [];
		expect(item?.json).toMatchObject({ guid, guests: 6 });
		expect(item?.json.changes).toMatchObject({
			fields: ['guests'],
			before: { guests: 2, status: 'Reserved', start: item?.json.start },
		});
		expect(emitted(await trigger.poll())).toEqual([]);
	});
});

describe("an event of the booking's own time", () => {
	const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
	const waitForTime = (event: string, parameters: INodeParameters = {}) =>
		waitFor(event, {
			timeBeforeStart: 60,
			timeBeforeStartUnit: 'minutes',
			timeAfterEnd: 60,
			timeAfterEndUnit: 'minutes',
			...parameters,
		});

	it('has details with an id that stays the same, the type and the time', async () => {
		const trigger = await published(
			waitForTime('bookingStartsSoon', { options: { eventDetails: true } }),
		);
		const [made] = await book(1, { start: at(20), end: at(80) });
		const { stored } = trigger;
		const first = (await trigger.poll()).items?.[0]?.json.event;
		// n8n dies before it has stored what the poll came to.
		trigger.stored = stored;
		const again = (await trigger.restart()).items?.[0]?.json.event;
		expect(first).toEqual({
			id: expect.stringMatching(/^[0-9a-f]{32}$/),
			type: 'bookingStartsSoon',
			time: new Date(Date.parse(String(made?.start)) - 3_600_000).toISOString(),
		});
		expect(again).toEqual(first);
	});
});

describe('filters and output', () => {
	it('lets through only what fits', async () => {
		const [customer] = await here.service.stored('customers');
		const id = customer?.id;
		const customerId = { __rl: true, mode: 'id', value: String(id) };
		const filters = { minGuests: 3, maxGuests: 5, unitIds: '77', statuses: [3], customerId };
		const trigger = await published(waitFor('bookingCreated', { filters }));
		const fits = { guests: 4, unitId: 77, status: 3, customer: { id }, history: [] };
		const [made] = await book(1, fits);
		const others = [{ guests: 2 }, { guests: 6 }, { unitId: 78 }, { status: 4 }];
		for (const other of [...others, { customer: { id: -5 } }]) await book(1, { ...fits, ...other });
		expect(guids(await trigger.poll())).toEqual([made?.guid]);
		expect((await here.service.requests()).at(-1)?.query).toMatchObject({
			includeCustomer: 'true',
		});
	});
});

describe('when things go wrong', () => {
	it('leaves out a record that cannot be followed, and says so once while the rest goes out', async () => {
		const trigger = await published(waitFor('bookingChanged'));
		const [bad] = await book(1, { changeDate: 'soon' });
		const [made] = await book(1);
		const { error, ...out } = await trigger.poll();
		expect(guids(out)).toEqual([made?.guid]);
		expect(error?.message).toContain(`web booking ${bad?.guid} has no readable change date`);
		expect(await trigger.poll()).toEqual({ items: null });
	});
});

describe('in the editor', () => {
	it('"Fetch test event" shows a real record and leaves the state alone', async () => {
		const trigger = await published(waitFor('bookingCreated'));
		const [made] = await book(1);
		const shown = await trigger.fetchTestEvent();
		expect(guids(shown)).toEqual([made?.guid]);
		expect(shown.state).toEqual(trigger.storedState);
		expect(guids(await trigger.poll())).toEqual([made?.guid]);
	});

	it('"Fetch test event" lists the statuses that it has seen without a secret of the account', async () => {
		const secret = here.service.info.clientSecret;
		const history = [
			{ status: 1, statusName: `x ${secret} y`, changeDate: '2026-01-01T00:00:00Z' },
		];
		const list = [{ guid: 'a', status: 1, changeDate: '2026-01-01T00:00:00Z', history }];
		await here.service.inject({ fault: { kind: 'status', status: 200, body: list } });
		const { error } = await waitFor('bookingCanceled').fetchTestEvent();

		expect(error?.message).toContain('x *** y');
		expect(error?.message).not.toContain(secret);
	});

	it('"Fetch test event" says that the service sent something else where that is no list', async () => {
		await here.service.inject({ fault: { kind: 'status', status: 200, body: {} } });
		expect((await waitFor('bookingCreated').fetchTestEvent()).error?.message).toMatch(
			/^The response is something other than data/,
		);
	});
});

it("nothing comes out again from the state of before the last batch, which n8n's scheduler may still read", async () => {
	const trigger = await published(waitFor('bookingCreated'));
	const { stored } = trigger;
	const made = await book(1);
	// Each of its polls has a context of its own, as an update of the workflow has.
	expect(emitted(await trigger.reconfigure({}))).toEqual(sortedGuids(made));
	trigger.stored = stored;
	expect(emitted(await trigger.reconfigure({}))).toEqual([]);
});

it('a booking is emitted once when a poll fails half way, in an n8n that does not tell how long a poll may take', async () => {
	const trigger = waitFor('bookingCreated');
	trigger.budgetMs = undefined;
	expect(emitted(await trigger.activate())).toEqual([]);
	const made = await book(2);
	const before = trigger.state;
	await here.service.inject({ times: 1, fault: { kind: 'status', status: 500 }, after: true });

	expect((await trigger.poll()).error?.message).toContain('(500)');
	expect(trigger.state).toEqual(before);
	expect(emitted(await trigger.poll())).toEqual(sortedGuids(made));
	expect(emitted(await trigger.poll())).toEqual([]);
	// After a poll that succeeds, the next failure is told at once.
	await here.service.inject({ times: 1, fault: { kind: 'status', status: 500 }, after: true });
	expect((await trigger.poll()).error?.message).toContain('(500)');
});
