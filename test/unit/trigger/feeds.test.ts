import mapValues from 'lodash/mapValues';
import omit from 'lodash/omit';
import pick from 'lodash/pick';
import toUpper from 'lodash/toUpper';

import { GOLDEN_EVENTS, goldenRecord } from './goldenStates';
import {
	type BookingChange,
	type BookingFilters,
	bookingFeed,
} from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type {
	ChangeFeed,
	ChangeObservation,
	Feed,
} from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { recipientFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/recipients';
import { findSample } from '../../../nodes/HospitalityBookingTrigger/poll/sample';
import { FOLLOWED, NOW, NO_FILTERS, at, bookingsOf, feedOf, follow } from './support';

/** What some services write where there is no date. */
const NO_DATE = '0001-01-01T00:00:00';
const [CREATED, LATER, LAST] = [at(-120), at(-60), at(0)];

function observe(
	event: BookingChange,
	booking: object,
	filters: Partial<BookingFilters> = {},
): ChangeObservation {
	const record = { guid: 'a', createdDate: CREATED, changeDate: LAST, ...booking };
	return observeOne(bookingsOf(event, filters), record);
}

/** @throws what the feed says of a record that cannot be followed */
function observeOne(feed: ChangeFeed, record: unknown): ChangeObservation {
	const { observed, notices } = feed.observe([record], 'UTC');
	if (observed[0]) return observed[0];
	throw new Error(notices.join());
}

const entry = (number: number, changeDate: string) => ({ status: number, changeDate });
const status = (history: unknown, more: object = {}) => observe('bookingStatusChanged', { history, ...more });

describe('a status change', () => {
	it('is the last entry of the history that differs from the one before, whichever way the list runs', () => {
		const rising = [entry(1, CREATED), entry(2, LATER), entry(2, LAST)];
		expect(status(rising).event?.rank).toBe(Date.parse(LATER));
		expect(status([...rising].reverse()).event).toEqual(status(rising).event);
	});

	it('is none where the booking only has the status it was made with', () => {
		expect(status([entry(1, CREATED)]).event).toBeNull();
		expect(status([entry(1, CREATED), entry(1, LATER)]).event).toBeNull();
	});

	it('is a single entry made after the booking, where the first status is not in the history', () => {
		expect(status([entry(2, LATER)]).event?.rank).toBe(Date.parse(LATER));
	});

	it('is another one each time the status comes back', () => {
		const back = status([entry(1, CREATED), entry(2, LATER), entry(1, LAST)]);
		const again = status([entry(1, CREATED), entry(2, LATER), entry(1, LAST), entry(2, LAST)]);
		expect(again.event?.key).not.toBe(back.event?.key);
	});
});

describe('a canceled booking', () => {
	const statusRoles = { canceled: new Set(['5', 'avbokad']), noShow: new Set(['8']) };
	const named = (number: number, statusName: string, changeDate: string) => ({
		...entry(number, changeDate),
		statusName,
	});
	const canceled = (...history: object[]) => observe('bookingCanceled', { history }, { statusRoles }).event;

	it('is told by the number or the name of its last status, whichever way the history runs', () => {
		const history = [entry(1, CREATED), named(77, 'Avbokad', LATER)];
		expect(canceled(...history)?.rank).toBe(Date.parse(LATER));
		expect(canceled(...history.toReversed())).toEqual(canceled(...history));
		expect(canceled(entry(1, CREATED), entry(5, LATER))?.rank).toBe(Date.parse(LATER));
	});

	it('is none once it is taken back, when it was made so, or by another status', () => {
		expect(canceled(entry(1, CREATED), entry(5, LATER), entry(1, LAST))).toBeNull();
		expect(canceled(entry(5, CREATED))).toBeNull();
		expect(canceled(entry(1, CREATED), entry(8, LATER))).toBeNull();
	});

	it('is the same when the credential gives an earlier status a meaning, so that it is not emitted again', () => {
		const history = [entry(1, CREATED), entry(8, LATER), entry(5, LAST)];
		const edited = observe('bookingCanceled', { history }, { statusRoles: { canceled: new Set(['5']) } });
		expect(canceled(...history)).toEqual(edited.event);
	});

	it('is the same while other statuses mean the same, and another one when it is canceled again', () => {
		const once = canceled(entry(1, CREATED), entry(5, LATER));
		expect(canceled(entry(1, CREATED), entry(5, LATER), named(77, 'avbokad', LAST))?.key).toBe(once?.key);
		const again = canceled(entry(1, CREATED), entry(5, LATER), entry(1, LATER), entry(5, LAST));
		expect(again?.key).not.toBe(once?.key);
	});
});

describe('an update', () => {
	it.each<[what: string, booking: object, isOne: boolean]>([
		['is a change after the creation', {}, true],
		['is not the creation', { changeDate: CREATED }, false],
		['is not a booking that was never changed', { changeDate: null }, false],
		[
			'is not a booking without a change date, however long its history',
			{ changeDate: null, history: [entry(1, CREATED), entry(2, CREATED)] },
			false,
		],
		['is not a booking whose change date is one of no date', { changeDate: NO_DATE }, false],
		[
			'is seen within the second of the creation where the history has grown',
			{ changeDate: CREATED, history: [entry(1, CREATED), entry(2, CREATED)] },
			true,
		],
		['is what a booking without a date of creation counts as', { createdDate: null }, true],
		['is what a booking counts as whose creation is of no date', { createdDate: NO_DATE }, true],
		['is what a booking counts as whose creation cannot be read', { createdDate: '1/7/2026' }, true],
	])('%s', (_, booking, isOne) => {
		expect(observe('bookingUpdated', booking).event !== null).toBe(isOne);
	});

	it('is not a booking that is new, where that has no date of creation', () => {
		expect(observe('bookingCreated', { createdDate: null }).event).toBeNull();
		expect(observe('bookingCreated', { createdDate: NO_DATE }).event).toBeNull();
	});
});

it('a booking whose date of creation cannot be read is reported where that is waited for', () => {
	expect(() => observe('bookingCreated', { createdDate: '1/7/2026' })).toThrow('date of creation');
});

it('a date before 1970 is none: what was never changed has changed when it was made', () => {
	const never = { changeDate: NO_DATE };
	for (const event of ['bookingCreated', 'bookingChanged'] as const)
		expect(observe(event, never)).toMatchObject(omit(observe(event, { changeDate: null }), 'record'));
	expect(status([entry(1, NO_DATE), entry(2, NO_DATE)])).toMatchObject({ compared: expect.anything() });
});

it.each(GOLDEN_EVENTS.filter((event) => !event.startsWith('customer')))(
	'an ID in other letter case is the same: %s',
	(event) => {
		const feed = feedOf(event);
		const record = goldenRecord({ event, zone: 'UTC' }, 1, 1);
		const [one, other] = [record, mapValues(pick(record, ['guid', 'id']), toUpper)].map((written) => {
			const shown = { ...record, ...written };
			return [
				feed.nameOf(shown),
				follow(feed)
					.events([shown])
					.map(({ key }) => key),
			];
		});
		expect(one).toEqual(other);
		expect(one?.[1]).toHaveLength(1);
	},
);

describe('filters', () => {
	it.each<[Partial<BookingFilters>, object, boolean]>([
		[{ unitIds: [3] }, { unitId: 3 }, true],
		[{ unitIds: [3] }, { unitId: 4, articles: [{ unitId: 3 }] }, true],
		[{ unitIds: [3] }, { unitId: 4, nonTableArticles: [{ unitId: 5 }] }, false],
		[{ minGuests: 2 }, { guests: 1 }, false],
		[{ minGuests: 2 }, {}, false],
		[{ statuses: [2] }, { status: 2, history: [entry(1, CREATED), entry(5, LATER)] }, false],
		[{ statuses: [5] }, { status: 2, history: [entry(1, CREATED), entry(5, LATER)] }, true],
		[{ customerId: 7 }, { customer: null }, false],
	])('%j with %j: %s', (filters, booking, wanted) => {
		expect(observe('bookingCreated', booking, filters).wanted).toBe(wanted);
	});

	it('of units go to the service under the name that is set', () => {
		const filters = { ...NO_FILTERS, unitIds: [3, 4], unitParameter: 'units' };
		const feed = bookingFeed('bookingCreated', { filters, include: ['includeContact'] });
		expect(feed.query(CREATED)).toEqual({ changedFrom: CREATED, units: [3, 4], includeContact: true });
	});
});

describe('survey recipients', () => {
	it('are asked for by status and survey, and only those that responded count', () => {
		const feed = recipientFeed('s');
		expect(feed.query(CREATED)).toEqual({ status: [4], surveyId: 's' });
		expect(observeOne(feed, { id: 'r', status: 4, respondedTime: LAST })).toMatchObject({ wanted: true });
		expect(observeOne(feed, { id: 'r', status: 3, respondedTime: null })).toMatchObject({ event: null });
		for (const respondedTime of [null, NO_DATE])
			expect(() => observeOne(feed, { id: 'r', status: 4, respondedTime })).toThrow('time of response');
		expect(() => observeOne(feed, { id: '', status: 4 })).toThrow('no id');
	});
});

describe('customers', () => {
	it.each([null, NO_DATE])('last changed %s can be new but not changed', (lastChangedUtc) => {
		const customer = { id: 5, lastChangedUtc };
		const isNew = { changed: null, event: { rank: 5 } };
		expect(observeOne(customerFeed('customerCreated'), customer)).toMatchObject(isNew);
		expect(() => observeOne(customerFeed('customerChanged'), customer)).toThrow('no readable change date');
	});

	it.each([{}, { id: '5' }, { id: 1.5 }, { id: -1 }, null])('%j cannot be followed', (customer) => {
		expect(() => observeOne(customerFeed('customerCreated'), customer)).toThrow('a customer has no id');
	});
});

describe('a test event', () => {
	const find = async (
		fetch: (path: string, query: object) => Promise<unknown[]>,
		feed: Feed = bookingsOf('bookingUpdated', { minGuests: 2 }),
	) => await findSample({ feed, ...FOLLOWED }, NOW, fetch);

	it('is the newest record that fits the event and the filters', async () => {
		const page = [
			{ guid: 'old', createdDate: CREATED, changeDate: LATER, guests: 2 },
			{ guid: 'newest', createdDate: CREATED, changeDate: LAST, guests: 2 },
			{ guid: 'too small', createdDate: CREATED, changeDate: LAST, guests: 1 },
			{ guid: 'only made', createdDate: LAST, changeDate: LAST, guests: 2 },
		];
		expect((await find(() => Promise.resolve(page)))?.record).toBe(page[1]);
	});

	it('is looked for up to a year back, in three calls', async () => {
		const fetch = jest.fn((_path: string, _query: object) => Promise.resolve([]));
		expect(await find(fetch)).toBeUndefined();
		expect(fetch.mock.calls.map(([, query]) => query)).toEqual([
			{ changedFrom: '2026-06-29T12:00:00.000Z' },
			{ changedFrom: '2026-06-01T12:00:00.000Z' },
			{ changedFrom: '2025-07-01T12:00:00.000Z' },
		]);
	});

	it('is looked for once where the service lists everything anyway', async () => {
		const fetch = jest.fn(() => Promise.resolve([]));
		expect(await find(fetch, recipientFeed(''))).toBeUndefined();
		expect(fetch).toHaveBeenCalledTimes(1);
	});
});
