import type { TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events/events';
import type { Filters } from '../../../nodes/HospitalityBookingTrigger/events/recordKinds';
import { observe as observePage } from '../../../nodes/HospitalityBookingTrigger/events/observe';
import { findTestEvent } from '../../../nodes/HospitalityBookingTrigger/poll/testEvent';
import { HOUR, MINUTE, NOW, at, booking, feedOf, made } from './support';

/** What some services write where there is no date. */
const NO_DATE = '0001-01-01T00:00:00';
const CREATED = at(-120);
const LATER = at(-60);
const LAST = at(0);

/** @throws what the feed says of a record that cannot be followed */
function observe(event: TriggerEvent, record: object | null, filters: Filters = {}) {
	const { observed, unreadable } = observePage([record], feedOf(event, { filters }));
	if (unreadable.length > 0) throw new Error(unreadable.join());
	return observed[0];
}

const observeBooking = (event: TriggerEvent, more: object, filters: Filters = {}) =>
	observe(event, { guid: 'a', createdDate: CREATED, changeDate: LAST, ...more }, filters);

const entry = (status: number, changeDate: string | null, statusName?: string) => ({
	status,
	changeDate,
	statusName,
});
const status = (history: unknown, more: object = {}) =>
	observeBooking('bookingStatusChanged', { history, ...more });

const secondOf = (text: string) => Date.parse(text) / 1000;

describe('a status change', () => {
	it('is the last entry of the history that differs from the one before, whichever way the list runs', () => {
		const rising = [entry(1, CREATED), entry(2, LATER), entry(2, LAST)];
		expect(status(rising)?.at).toBe(Date.parse(LATER));
		expect(status([...rising].reverse())?.key).toEqual(status(rising)?.key);
	});

	it.each([
		['only the status it was made with', [entry(1, CREATED)]],
		['the same one twice', [entry(1, CREATED), entry(1, LATER)]],
		['one that was dated two seconds after its creation', [entry(1, at(-120 + 2 / 60))]],
	])('is none of a booking that has %s', (_, history) => {
		expect(status(history, { status: 1 })?.at).toBeUndefined();
	});

	it('is a single entry made after the booking, where the first status is not in the history', () => {
		expect(status([entry(2, LATER)])?.at).toBe(Date.parse(LATER));
	});

	it('is another one each time the status comes back', () => {
		const back = status([entry(1, CREATED), entry(2, LATER), entry(1, LAST)]);
		const again = status([entry(1, CREATED), entry(2, LATER), entry(1, LAST), entry(2, LAST)]);
		expect(again?.key).not.toBe(back?.key);
	});
});

describe('a canceled booking', () => {
	const statusRoles = { canceled: new Set(['5', 'avbokad']), noShow: new Set(['8']) };
	const canceled = (...history: object[]) =>
		observeBooking('bookingCanceled', { history }, { statusRoles });

	it('is told by the number or the name of its last status, whichever way the history runs', () => {
		const history = [entry(1, CREATED), entry(77, LATER, 'Avbokad')];
		expect(canceled(...history)?.at).toBe(Date.parse(LATER));
		expect(canceled(...history.toReversed())?.key).toEqual(canceled(...history)?.key);
		expect(canceled(entry(1, CREATED), entry(5, LATER))?.at).toBe(Date.parse(LATER));
	});

	it.each([
		['taken back', [entry(1, CREATED), entry(5, LATER), entry(1, LAST)]],
		['made so', [entry(5, CREATED)]],
		['has another status', [entry(1, CREATED), entry(8, LATER)]],
	])('is none that is %s', (_, history) => {
		expect(canceled(...history)?.at).toBeUndefined();
	});

	it('is the same when the credential gives an earlier status a meaning, and another one when it is canceled again', () => {
		const history = [entry(1, CREATED), entry(8, LATER), entry(5, LAST)];
		const edited = observeBooking(
			'bookingCanceled',
			{ history },
			{ statusRoles: { canceled: new Set(['5']) } },
		);
		expect(canceled(...history)?.key).toEqual(edited?.key);
		const again = canceled(entry(1, CREATED), entry(5, LATER), entry(1, LATER), entry(5, LAST));
		expect(again?.key).not.toBe(canceled(entry(1, CREATED), entry(5, LATER))?.key);
	});
});

describe('an update', () => {
	it.each<[what: string, booking: object, isOne: boolean]>([
		['is a change after the creation', {}, true],
		['is not the creation', { changeDate: CREATED }, false],
		[
			'is not a creation whose second timestamp is two seconds later',
			{ changeDate: at(-120 + 2 / 60) },
			false,
		],
		[
			'is not a creation that is written in another form',
			{ createdDate: '2026-07-01T10:00:00.000', changeDate: CREATED },
			false,
		],
		['is not a booking that was never changed', { changeDate: null }, false],
		['is not a booking whose change date is one of no date', { changeDate: NO_DATE }, false],
		[
			'is seen within the second of the creation where the history has grown',
			{ changeDate: CREATED, history: [entry(1, CREATED), entry(2, CREATED)] },
			true,
		],
		['is not a booking without a date of creation that was not seen', { createdDate: null }, false],
		[
			'is not a booking that was not seen whose creation cannot be read',
			{ createdDate: '1/7/2026' },
			false,
		],
	])('%s', (_, more, isOne) => {
		const feed = feedOf('bookingUpdated');
		const one = observeBooking('bookingUpdated', more);
		const times = { now: NOW, watermark: 0, newSince: 0, dueReportedUpTo: 0, unreadTo: 0 };
		expect(one !== undefined && feed.rule.emits(one, undefined, times)).toBe(isOne);
	});

	it('is not a booking that is new, where that has no date of creation; one that cannot be read is reported', () => {
		expect(observeBooking('bookingCreated', { createdDate: null })?.at).toBeUndefined();
		expect(() => observeBooking('bookingCreated', { createdDate: '1/7/2026' })).toThrow(
			'date of creation',
		);
	});
});

it.each<TriggerEvent>(['bookingChanged', 'bookingEnded', 'surveyAnswered'])(
	'an ID in other letter case is the same: %s',
	(event) => {
		const record = (id: string) => ({ ...booking(id, 0), id, status: 4, respondedTime: LAST });
		const [one, other] = ['abc', 'ABC'].map((id) => observe(event, record(id)));
		expect([one?.id, one?.key]).toEqual([other?.id, other?.key]);
	},
);

describe('filters', () => {
	it.each<[Filters, object, boolean]>([
		[{ minGuests: 2 }, { guests: 1 }, false],
		[{ statuses: [5] }, { status: 2, history: [entry(1, CREATED), entry(5, LATER)] }, true],
		[{ customerId: 7 }, { customer: null }, false],
	])('%j with %j: %s', (filters, more, wanted) => {
		expect(observeBooking('bookingCreated', more, filters)?.passesFilters).toBe(wanted);
	});

	it('of units go to the service under the name that is set', () => {
		const feed = feedOf('bookingCreated', {
			filters: { unitIds: [3, 4] },
			unitParameter: 'units',
			include: ['includeContact'],
		});
		expect(feed.kind.changedAfter(CREATED, feed.choice)).toEqual({
			changedFrom: CREATED,
			units: [3, 4],
			includeContact: true,
		});
	});
});

it('survey recipients are asked for by status and survey, and only those that responded count', () => {
	const feed = feedOf('surveyAnswered', { filters: { surveyId: 's' } });
	expect(feed.kind.changedAfter(CREATED, feed.choice)).toEqual({
		status: [4],
		surveyId: 's',
	});
	expect(observe('surveyAnswered', { id: 'r', status: 3, respondedTime: null })).toBeUndefined();
	for (const respondedTime of [null, NO_DATE]) {
		expect(() => observe('surveyAnswered', { id: 'r', status: 4, respondedTime })).toThrow(
			'r has no readable',
		);
	}
	expect(() => observe('surveyAnswered', { id: '', status: 4 })).toThrow('no id');
});

it.each([null, NO_DATE])(
	'a customer last changed %s can be new but not changed',
	(lastChangedUtc) => {
		expect(observe('customerCreated', { id: 5, lastChangedUtc })).toMatchObject({
			changed: null,
			at: null,
		});
		expect(() => observe('customerChanged', { id: 5, lastChangedUtc })).toThrow(
			'no readable change date',
		);
	},
);

it.each([{}, { id: 'five' }, { id: 1.5 }, { id: -1 }, null])(
	'the customer %j cannot be followed',
	(customer) => {
		expect(() => observe('customerCreated', customer)).toThrow('a customer has no id');
	},
);

describe('a test event', () => {
	const serviceWith = (list: (query: object) => Promise<unknown[]>) => ({
		fetch: async (query: object) => ({ list: await list(query), date: NOW }),
		budgetMs: MINUTE,
		now: () => NOW,
	});
	const find = async (
		page: unknown[],
		event: TriggerEvent = 'bookingUpdated',
		filters: Filters = {},
	) =>
		await findTestEvent(
			feedOf(event, { filters }),
			serviceWith(async () => await Promise.resolve(page)),
		);

	it.each<TriggerEvent>(['bookingStartsSoon', 'bookingEnded'])(
		'is the booking nearest to its time, before or after: %s',
		async (event) => {
			const anchor = event === 'bookingEnded' ? NOW - HOUR : NOW + HOUR;
			const around = (guid: string, minutes: number) => {
				const time = new Date(anchor + minutes * 60_000).toISOString();
				return booking(guid, -600, { start: time, end: time });
			};
			const near = around('near', 3);
			const far = [around('earlier', -4), around('later', 5), around('day', 1440)];
			expect((await find([...far, near], event)).record).toBe(near);
			expect((await find([around('near', -3), ...far], event)).record).toMatchObject({
				guid: 'near',
			});
		},
	);

	it('is the newest record that fits the event and the filters', async () => {
		const page = [
			{ guid: 'old', createdDate: CREATED, changeDate: LATER, guests: 2 },
			{ guid: 'newest', createdDate: CREATED, changeDate: at(-1), guests: 2 },
			{ guid: 'too small', createdDate: CREATED, changeDate: LAST, guests: 1 },
			{ guid: 'only made', createdDate: LAST, changeDate: LAST, guests: 2 },
		];
		expect((await find(page, 'bookingUpdated', { minGuests: 2 })).record).toBe(page[1]);
	});

	it('of a new booking is one that is not canceled, where there is one', async () => {
		const statusRoles = { canceled: new Set(['5']), noShow: new Set<string>() };
		const page = [
			{ ...made('canceled', -1), status: 5, history: [] },
			{ ...made('expected', -9), status: 3, history: [] },
		];
		const filters = { statusRoles };

		expect((await find(page, 'bookingCreated', filters)).record).toBe(page[1]);
		expect((await find(page.slice(0, 1), 'bookingCreated', filters)).record).toBe(page[0]);
	});

	it('of a payment is a booking that has one, of a move one with its own times', async () => {
		const page = [booking('a', -1), booking('b', -2, { chargePayedAmount: 10 })];
		expect(await find(page, 'bookingPaymentChanged')).toMatchObject({
			record: { guid: 'b' },
			changes: { fields: ['chargePayedAmount'], before: { chargePayedAmount: 0 } },
		});
		expect((await find(page, 'bookingRescheduled')).changes).toEqual({
			fields: [],
			before: { start: null, end: null },
			now: { start: secondOf('2026-08-01T18:00Z'), end: secondOf('2026-08-01T20:00Z') },
			note: expect.stringContaining('no earlier values yet'),
		});
	});

	it("with 'Add What Changed' says that nothing earlier is known, or that the booking is new", async () => {
		const changesOf = async (record: object) => {
			const feed = feedOf('bookingChanged', { whatChanged: true });
			const answer = async () => await Promise.resolve([record]);
			return (await findTestEvent(feed, serviceWith(answer))).changes;
		};
		expect(await changesOf(booking('a', -1))).toMatchObject({
			fields: [],
			before: { start: null, end: null, guests: null, status: null },
			note: expect.stringContaining('no earlier values yet'),
		});
		expect(await changesOf(made('new', -1))).toBeNull();
	});

	it('is looked for up to a year back, in two calls, or in one where every list is of all', async () => {
		const fetch = jest.fn(async (_query: object) => await Promise.resolve([]));
		await expect(findTestEvent(feedOf('bookingUpdated'), serviceWith(fetch))).rejects.toThrow(
			'lists no record within a year',
		);
		expect(fetch.mock.calls.map(([query]) => query)).toEqual([
			{ changedFrom: '2026-06-01T12:00:00Z' },
			{ changedFrom: '2025-07-01T12:00:00Z' },
		]);
		fetch.mockClear();
		await expect(findTestEvent(feedOf('surveyAnswered'), serviceWith(fetch))).rejects.toThrow();
		expect(fetch).toHaveBeenCalledTimes(1);
	});

	it('that is not found says why, with the statuses that were seen', async () => {
		const named = (guid: string, name: string) =>
			booking(guid, -1, { history: [entry(1, CREATED), entry(7, LATER, name)], status: 7 });
		const page = [named('a', 'Bekräftad'), named('b', 'Avbokad')];
		const statusRoles = { canceled: new Set(['avbokat']), noShow: new Set<string>() };
		await expect(find(page, 'bookingNoShow', { statusRoles })).rejects.toThrow(
			'one of the statuses none;',
		);
		await expect(find(page, 'bookingCanceled', { statusRoles })).rejects.toThrow(
			'no web booking has one of the statuses avbokat; seen: Avbokad, Bekräftad',
		);
		await expect(find(page, 'bookingCreated', { minGuests: 9 })).rejects.toThrow(
			'of 2 records within a year, none fits',
		);
	});
});
