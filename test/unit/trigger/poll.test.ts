import { dueFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events';
import type { Query } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import type { PollSettings } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import type { ChangePosition } from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { DAY, HOUR, MINUTE, NOW, NO_FILTERS, Polled, SECOND, at, bookingsOf, feedOf } from './support';

const booking = (guid: string, minutes: number, more: object = {}) => ({
	...{ guid, createdDate: at(minutes), changeDate: at(minutes), status: 1 },
	...{ start: at(minutes + 600), end: at(minutes + 660) },
	...more,
});

/** What passes by itself, in n8n's own terms; what is refused otherwise has no cause. */
class Refused extends Error {
	readonly failure: { cause: string } | undefined;

	constructor(cause?: string) {
		super(cause ?? 'The response is larger than 32 MB');
		this.failure = cause === undefined ? undefined : { cause };
	}
}

/** A trigger that was published with a booking that is known. */
async function published(settings: Partial<PollSettings> = {}, feed = bookingsOf('bookingCreated')) {
	const trigger = new Polled(feed, settings);
	trigger.records = [booking('known', -30)];
	await trigger.poll('publication');
	return trigger;
}

const learnedBy = (trigger: Polled) => (trigger.state?.position as ChangePosition | undefined)?.known;

describe('where a poll begins', () => {
	const renamed = { node: 'Renamed' };

	it.each([
		['its node is renamed', renamed],
		['its filters are others', { watching: '["bookingCreated","demo",[["minGuests",2]]]' }],
		['its server is another one', { account: 'https://other.example' }],
	])('starts over as the form says where %s: from now on, or with Start From', async (_, changed) => {
		for (const startAt of [null, NOW - HOUR]) {
			const trigger = await published({ startAt });
			(trigger.records as object[]).push(booking('between', -5));
			Object.assign(trigger.settings, changed);
			expect(await trigger.poll('publication')).toEqual(startAt === null ? [] : ['known', 'between']);
			(trigger.records as object[]).push(booking('after', 1));
			expect(await trigger.polls(2)).toEqual([['after'], []]);
		}
	});

	it('starts over, too, under an earlier name of the node, whose state n8n has kept', async () => {
		const trigger = await published();
		const { own } = trigger;
		Object.assign(trigger.settings, renamed);
		delete trigger.own;
		await trigger.poll('publication');
		(trigger.records as object[]).push(booking('between', -5));
		Object.assign(trigger, { own });
		trigger.settings.node = 'Trigger';
		expect(await trigger.poll('publication')).toEqual([]);
	});

	it("leaves out what was missed without 'Catch Up', also with Start From", async () => {
		const trigger = await published({ startAt: NOW - HOUR, skipsMissed: true });
		(trigger.records as object[]).push(booking('missed', -5));
		expect(await trigger.poll('publication')).toEqual([]);
	});

	it('goes on from a publication that n8n has not stored, and drops its copy once the node has its own', async () => {
		const trigger = await published();
		delete trigger.own;
		(trigger.records as object[]).push(booking('new', 1));
		trigger.now += MINUTE;
		expect(await trigger.poll('scheduler')).toEqual(['new']);
		expect(trigger.published?.state).toBeDefined();
		expect(await trigger.poll('timer')).toEqual([]);
		expect(trigger.published).toEqual({ publication: 1 });
	});

	it.each([
		[null, 'started over; earlier changes were skipped'],
		[NOW - HOUR, "started from 'Start From'"],
	])('says so where n8n starts and has kept nothing, with Start From %s', async (startAt, what) => {
		const trigger = new Polled(bookingsOf('bookingCreated'), { startAt });
		trigger.wasPublished = true;
		await trigger.poll('publication');
		expect(trigger.reports).toEqual([[`n8n has no stored state for this trigger, so it ${what}`]]);
	});

	it.each<TriggerEvent>([
		...['bookingCreated' as const, 'bookingPaymentChanged' as const, 'bookingStartsSoon' as const],
		...['bookingEnded' as const, 'customerCreated' as const, 'surveyAnswered' as const],
	])('begins at a Start From in the future, and publishing proves the account: %s', async (event) => {
		const trigger = new Polled(feedOf(event), { startAt: NOW + 72 * HOUR });
		trigger.wasPublished = true;
		const record = (hour: number) => ({
			...{ guid: `${hour}`, id: event.startsWith('customer') ? hour : `${hour}`, status: 4 },
			...{ createdDate: at(hour * 60), changeDate: at(hour * 60), lastChangedUtc: at(hour * 60) },
			...{ respondedTime: at(hour * 60), chargePayedAmount: 5 },
			...{ start: at((hour + 1) * 60), end: at((hour - 1) * 60) },
		});
		const out: string[] = [];
		for (let hour = 0; hour < 80; hour++) {
			trigger.now = NOW + hour * HOUR;
			trigger.records = Array.from({ length: hour + 1 }, (_, index) => record(index));
			out.push(...(await trigger.poll(hour === 0 ? 'publication' : 'timer')));
			expect(trigger.queries.length > 0).toBe(true);
		}
		expect(out).toEqual(['72', '73', '74', '75', '76', '77', '78', '79']);
		expect(trigger.reports).toEqual([]);
	});
});

describe('what goes out', () => {
	it('comes with what there is to say, which is said once and fails nothing', async () => {
		const trigger = await published();
		trigger.records = [booking('a', 1), { guid: 'x', changeDate: 'soon' }];
		expect(await trigger.polls(3)).toEqual([['a'], [], []]);
		expect(trigger.reports).toEqual([['web booking x has no readable change date']]);
	});

	it('is told with at most 20 things to say and how many more there are', async () => {
		const trigger = await published();
		trigger.records = Array.from({ length: 25 }, (_, index) => ({ guid: `${index}`, changeDate: 'soon' }));
		await trigger.poll();
		expect(trigger.reports[0]).toHaveLength(21);
		expect(trigger.reports[0]?.at(-1)).toBe('5 more');
	});
});

describe('a poll that fails', () => {
	it('changes nothing', async () => {
		const trigger = await published();
		const { own } = trigger;
		trigger.answer = async () => await Promise.reject(new Refused('temporarily-unavailable'));
		await expect(trigger.poll()).rejects.toThrow('temporarily-unavailable');
		expect(trigger.own).toBe(own);
	});

	it('for lack of time lets the next ones wait twice as long each, within what n8n gives, until one succeeds', async () => {
		const trigger = await published();
		trigger.waits = [];
		trigger.answer = async (_query, deadline) => {
			trigger.now = deadline;
			return await Promise.reject(new Refused('temporarily-unavailable'));
		};
		for (let polls = 0; polls < 4; polls++) await expect(trigger.poll()).rejects.toThrow();
		trigger.answer = async () => await Promise.resolve([]);
		await trigger.polls(2);
		trigger.answer = async () => await Promise.reject(new Refused('temporarily-unavailable'));
		for (let polls = 0; polls < 2; polls++) await expect(trigger.poll()).rejects.toThrow();
		expect(trigger.waits.map((ms) => ms / MINUTE)).toEqual([1, 2, 4, 5, 5, 1, 1, 1]);
	});

	it('takes a response without a body for none, and keeps what was begun', async () => {
		for (const startAt of [null, NOW - HOUR]) {
			const trigger = new Polled(bookingsOf('bookingCreated'), { startAt });
			trigger.records = undefined;
			await trigger.poll('publication');
			const { own } = trigger;
			expect(await trigger.polls(1)).toEqual([[]]);
			expect(trigger.own).toEqual(own);
			trigger.records = [booking('before', -30), booking('new', 1)];
			expect(await trigger.poll()).toEqual(startAt === null ? ['new'] : ['before', 'new']);
		}
	});

	it('does not keep a workflow with a state from being published where it passes by itself', async () => {
		const trigger = await published();
		for (const cause of ['rate-limited', 'temporarily-unavailable']) {
			trigger.answer = async () => await Promise.reject(new Refused(cause));
			expect(await trigger.poll('publication')).toEqual([]);
			await expect(trigger.poll()).rejects.toThrow(cause);
		}
		trigger.answer = async () => await Promise.reject(new Refused('credential-invalid'));
		await expect(trigger.poll('publication')).rejects.toThrow('credential-invalid');
	});
});

it('a poll gives nothing while another is under way; that of a publication waits for it, half a minute at most', async () => {
	const trigger = await published();
	trigger.records = [booking('new', 1)];
	trigger.now += MINUTE;
	trigger.waits = [];
	const polls = [trigger.poll(), trigger.poll(), trigger.poll('publication')];
	expect(await Promise.all(polls)).toEqual([['new'], [], []]);
	expect(trigger.waits).toEqual([MINUTE, MINUTE / 2]);
});

describe('with durable cursors', () => {
	it('a poll that n8n starts from a state before it has stored the batch gives nothing, for half a minute by either clock', async () => {
		const trigger = await published();
		(trigger.records as object[]).push(booking('new', 1));
		trigger.now += MINUTE;
		const { own } = trigger;
		const fromThen = async (later: number) => {
			Object.assign(trigger, { own, now: NOW + MINUTE + later });
			return await trigger.poll('scheduler');
		};
		expect(await fromThen(0)).toEqual(['new']);
		expect(await fromThen(10 * SECOND)).toEqual([]);
		expect(await fromThen(31 * SECOND)).toEqual(['new']);
	});

	it('a clock that is set back does not silence the trigger', async () => {
		const trigger = await published();
		(trigger.records as object[]).push(booking('new', 1));
		trigger.now += MINUTE;
		const { own } = trigger;
		expect(await trigger.poll('scheduler')).toEqual(['new']);
		Object.assign(trigger, { own, now: trigger.now - HOUR });
		expect(await trigger.poll('scheduler')).toEqual(['new']);
	});
});

describe('what is known from the beginning', () => {
	/** A site with a booking every two hours for the next two years, which answers with so many at most. */
	function site(most: number, msEach = 0) {
		const all = Array.from({ length: 730 * 12 }, (_, hour) => ({
			...booking(`b${hour}`, -6000),
			...{ start: at(hour * 120), end: at(hour * 120 + 30) },
		}));
		const trigger = new Polled(bookingsOf('bookingRescheduled'));
		trigger.records = [];
		trigger.answer = async ({ startTime, endTime }: Query) => {
			if (startTime === undefined) return await Promise.resolve(trigger.records);
			const found = all.filter(({ start, end }) => end > String(startTime) && start < String(endTime));
			trigger.now += msEach;
			if (found.length > most) throw new Refused();
			return await Promise.resolve(found);
		};
		return { trigger, all };
	}

	it.each([500, 100])('is read in slices, shorter ones where the response is refused: %i', async (most) => {
		const { trigger, all } = site(most);
		await trigger.poll('publication');
		expect(Object.keys(learnedBy(trigger)?.records ?? {})).toHaveLength(all.length);
		expect(learnedBy(trigger)?.unread).toBeUndefined();
		trigger.records = [{ ...all[8_000], changeDate: at(1), start: at(2_000_000) }];
		expect(await trigger.polls(2)).toEqual([['b8000'], []]);
		// From 30 days ago to 730 days ahead.
		const periods = trigger.queries.filter(({ startTime }) => startTime !== undefined);
		expect(Date.parse(String(periods[0]?.startTime))).toBe(NOW - 30 * DAY - SECOND);
		expect(Date.parse(String(periods.at(-1)?.endTime))).toBe(NOW + 730 * DAY);
	});

	it('is read on by the next polls where the time is over, while what is known already comes', async () => {
		const { trigger, all } = site(500, 40 * SECOND);
		await trigger.poll('publication');
		expect(learnedBy(trigger)?.unread).toBeDefined();
		trigger.records = [{ ...all[1], changeDate: at(30), start: at(2_000_000) }];
		trigger.now = NOW + HOUR;
		expect((await trigger.polls(40)).flat()).toEqual(['b1']);
		expect(Object.keys(learnedBy(trigger)?.records ?? {})).toHaveLength(all.length);
	});

	it('fails aloud where even a day is refused', async () => {
		const { trigger } = site(5);
		await expect(trigger.poll('publication')).rejects.toThrow('larger than 32 MB');
	});

	it('is not asked for where the bookings tell by themselves', async () => {
		const trigger = new Polled(bookingsOf('bookingStatusChanged'));
		trigger.records = [booking('a', -30, { history: [{ changeDate: at(-30), status: 1 }] })];
		await trigger.poll('publication');
		await trigger.polls(2);
		expect(trigger.queries).toHaveLength(3);
	});

	it('is read on by the next poll where a slice fails half way for what passes by itself', async () => {
		const { trigger, all } = site(1_000);
		const { answer } = trigger;
		const failFrom = (call: number, cause: string) => {
			let calls = 0;
			trigger.answer = async (query, deadline) =>
				++calls < call ? await answer(query, deadline) : await Promise.reject(new Refused(cause));
		};
		failFrom(4, 'credential-invalid');
		await expect(trigger.poll('publication')).rejects.toThrow('credential-invalid');
		failFrom(4, 'rate-limited');
		await trigger.poll('publication');
		expect(learnedBy(trigger)?.unread).toBeDefined();
		trigger.records = [{ ...all[0], changeDate: at(1), start: at(2_000_000) }];
		failFrom(3, 'temporarily-unavailable');
		expect(await trigger.polls(1)).toEqual([['b0']]);
		trigger.answer = answer;
		expect(await trigger.polls(2)).toEqual([[], []]);
		expect(Object.keys(learnedBy(trigger)?.records ?? {})).toHaveLength(all.length);
	});

	it('is read without related data where these are not compared', async () => {
		for (const [whatChanged, flag] of [
			[false, undefined],
			[true, true],
		] as const) {
			const event = whatChanged ? 'bookingUpdated' : 'bookingRescheduled';
			const trigger = new Polled(bookingsOf(event, {}, { whatChanged, include: ['includeContact'] }));
			await trigger.poll('publication');
			expect(trigger.queries.at(-1)).toMatchObject({ endTime: at(730 * 24 * 60) });
			expect(trigger.queries.at(-1)?.includeContact).toBe(flag);
		}
	});
});

it('begins with the customers of a shorter time where the list of all is refused, and knows the newest', async () => {
	const customer = (id: number, minutes: number) => ({ id, lastChangedUtc: at(minutes) });
	const all = [
		customer(1, -4_000_000),
		customer(2, -3_000_000),
		customer(3, -2_000_000),
		customer(900, -100_000),
		customer(5, -10),
	];
	const trigger = new Polled(customerFeed('customerCreated'));
	trigger.answer = async ({ changedFromUtc }: Query) => {
		const found = all.filter(({ lastChangedUtc }) => lastChangedUtc > String(changedFromUtc));
		if (found.length > 4) throw new Refused();
		return await Promise.resolve(found);
	};
	expect(await trigger.poll('publication')).toEqual([]);
	all.push(customer(2, 1), customer(901, 1));
	expect(await trigger.polls(2)).toEqual([['901'], []]);
});

describe("'Re-Emit After Restart'", () => {
	it('emits the last batch once more, until n8n has taken it, though the workflow was published again meanwhile', async () => {
		const trigger = await published({ reEmit: true, maxItems: 1 });
		trigger.records = [booking('a', 1), booking('b', 1.5)];
		trigger.now += 2 * MINUTE;
		expect(await trigger.poll()).toEqual(['a']);
		// n8n has stored the state and ends before it starts the run.
		trigger.restart();
		const { own } = trigger;
		expect(await trigger.poll()).toEqual(['a*']);
		// The workflow is published again: what the poll came to is dropped.
		Object.assign(trigger, { own });
		expect(await trigger.polls(3)).toEqual([['a*'], ['b'], []]);
	});

	it('brings the records as they are now, with the event they went out for and without what had changed', async () => {
		const trigger = await published(
			{ reEmit: true },
			bookingsOf('bookingUpdated', {}, { whatChanged: true }),
		);
		const updated = booking('known', -30, { changeDate: at(1), guests: 3 });
		trigger.records = [updated];
		trigger.now += 2 * MINUTE;
		const [first] = await trigger.emissions();
		trigger.records = [{ ...updated, changeDate: at(2), guests: 4 }];
		trigger.restart();
		const [again] = await trigger.emissions();
		expect(again).toMatchObject({ key: first?.key, again: true, record: { guests: 4 } });
		expect(first?.changes).toMatchObject({ fields: ['guests'] });
		expect(again?.changes ?? null).toBeNull();
		expect(await trigger.polls(2)).toEqual([['known'], []]);
	});

	it('keeps 25 characters an item, whatever the items hold', async () => {
		const trigger = await published({ reEmit: true, maxItems: 20_000 });
		const sizeOfLast = () => JSON.stringify(trigger.state?.last).length;
		trigger.records = Array.from({ length: 20_000 }, (_, index) => booking(`b${index}`, 1));
		trigger.now += 2 * MINUTE;
		await trigger.poll();
		expect(sizeOfLast()).toBeLessThan(25 * 20_000 + 200);
	});

	it('leaves out a booking that was due and has been canceled since', async () => {
		const filters = { ...NO_FILTERS, leaveOutStatuses: [5] };
		const feed = dueFeed('bookingStartsSoon', 10 * HOUR, { filters, include: [] });
		const trigger = new Polled(feed, { reEmit: true, watching: '["bookingStartsSoon"]' });
		await trigger.poll('publication');
		const due = ['a', 'b'].map((guid) => booking(guid, 1.5));
		trigger.records = due;
		expect(await trigger.polls(1)).toEqual([[]]);
		trigger.now += MINUTE;
		expect(await trigger.poll()).toEqual(['a', 'b']);
		trigger.restart();
		trigger.records = [due[0], { ...due[1], status: 5 }];
		expect(await trigger.poll()).toEqual(['a*']);
	});
});
