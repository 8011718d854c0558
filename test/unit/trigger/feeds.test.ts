import {
	bookingFeed,
	type BookingChange,
	type BookingFilters,
} from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type {
	ChangeFeed,
	ChangeObservation,
	Feed,
} from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { recipientFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/recipients';
import { findSample } from '../../../nodes/HospitalityBookingTrigger/follow/sample';

const CREATED = '2026-07-01T10:00:00Z';
const LATER = '2026-07-01T11:00:00Z';
const LAST = '2026-07-01T12:00:00Z';

const filtersOf = (filters: Partial<BookingFilters> = {}): BookingFilters => ({
	unitIds: [],
	unitParameter: 'unitIds',
	statuses: [],
	leaveOutStatuses: [],
	...filters,
});

function observe(
	event: BookingChange,
	booking: object,
	filters: Partial<BookingFilters> = {},
): ChangeObservation {
	const feed = bookingFeed(event, filtersOf(filters), []);
	return observeOne(feed, { guid: 'a', createdDate: CREATED, changeDate: LAST, ...booking });
}

/** @throws what the feed says of a record that cannot be followed */
function observeOne(feed: ChangeFeed, record: unknown): ChangeObservation {
	const { observed, notices } = feed.observe([record], 'UTC');
	if (observed[0]) return observed[0];
	throw new Error(notices.join());
}

const entry = (status: number, changeDate: string | null) => ({
	status,
	changeDate,
	statusName: `Status ${status}`,
});
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

	it('has no date of its own where the entries have none: then it is as old as the booking’s change', () => {
		expect(status([entry(1, null), entry(2, null)]).event?.rank).toBe(Date.parse(LAST));
	});

	it('is told without a history by another status than the one seen, and not for a new booking', () => {
		expect(status(null, { status: 3 })).toMatchObject({ wanted: true });
		expect(status(null, { status: 3 }).event?.key).not.toBe(status(null, { status: 4 }).event?.key);
		expect(status(null, { status: 3, changeDate: CREATED })).toMatchObject({ wanted: false });
	});
});

describe('an update', () => {
	it('is a change after the creation', () => {
		expect(observe('bookingUpdated', {}).event).not.toBeNull();
		expect(observe('bookingUpdated', { changeDate: CREATED }).event).toBeNull();
		expect(observe('bookingUpdated', { changeDate: null }).event).toBeNull();
	});

	it('is seen within the second of the creation where the history has grown', () => {
		const history = [entry(1, CREATED), entry(2, CREATED)];
		expect(observe('bookingUpdated', { changeDate: CREATED, history }).event).not.toBeNull();
	});

	it('is what a booking without a date of creation counts as', () => {
		expect(observe('bookingUpdated', { createdDate: null }).event).not.toBeNull();
		expect(observe('bookingCreated', { createdDate: null }).event).toBeNull();
	});
});

describe('filters', () => {
	it.each<[Partial<BookingFilters>, object, boolean]>([
		[{ unitIds: [3] }, { unitId: 3 }, true],
		[{ unitIds: [3] }, { unitId: 4, articles: [{ unitId: 3 }] }, true],
		[{ unitIds: [3] }, { unitId: 4, nonTableArticles: [{ unitId: 5 }] }, false],
		[{ minGuests: 2 }, { guests: 2 }, true],
		[{ minGuests: 2 }, { guests: 1 }, false],
		[{ minGuests: 2 }, {}, false],
		[{ maxGuests: 2 }, { guests: 3 }, false],
		[{ statuses: [2] }, { status: 2 }, true],
		[{ statuses: [2] }, { status: 2, history: [entry(1, CREATED), entry(5, LATER)] }, false],
		[{ statuses: [5] }, { status: 2, history: [entry(1, CREATED), entry(5, LATER)] }, true],
		[{ customerId: 7 }, { customer: { id: 7 } }, true],
		[{ customerId: 7 }, { customer: null }, false],
	])('%j with %j: %s', (filters, booking, wanted) => {
		expect(observe('bookingCreated', booking, filters).wanted).toBe(wanted);
	});

	it('of units go to the service under the name that is set', () => {
		const feed = bookingFeed('bookingCreated', filtersOf({ unitIds: [3, 4], unitParameter: 'units' }), [
			'includeContact',
		]);
		expect(feed.query(CREATED)).toEqual({ changedFrom: CREATED, units: [3, 4], includeContact: true });
	});
});

describe('survey recipients', () => {
	it('are asked for by status and survey, and only those that responded count', () => {
		const feed = recipientFeed('s');
		expect(feed.query(CREATED)).toEqual({ status: [4], surveyId: 's' });
		expect(observeOne(feed, { id: 'r', status: 4, respondedTime: LAST })).toMatchObject({ wanted: true });
		expect(observeOne(feed, { id: 'r', status: 3, respondedTime: null })).toMatchObject({ event: null });
		expect(() => observeOne(feed, { id: 'r', status: 4, respondedTime: null })).toThrow('time of response');
		expect(() => observeOne(feed, { id: '', status: 4 })).toThrow('no id');
	});
});

describe('customers', () => {
	it('without a change stamp can be new but not changed', () => {
		const customer = { id: 5, lastChangedUtc: null };
		expect(observeOne(customerFeed('customerCreated'), customer)).toMatchObject({ event: { rank: 5 } });
		expect(() => observeOne(customerFeed('customerChanged'), customer)).toThrow('no readable change date');
	});

	it.each([{}, { id: '5' }, { id: 1.5 }, { id: -1 }, null])('%j cannot be followed', (customer) => {
		expect(() => observeOne(customerFeed('customerCreated'), customer)).toThrow('a customer has no id');
	});
});

describe('a test event', () => {
	const feed = bookingFeed('bookingUpdated', filtersOf({ minGuests: 2 }), []);
	const now = Date.parse(LAST);
	const settingsOf = (followed: Feed) => ({
		feed: followed,
		zone: 'UTC',
		overlapMs: 0,
		maxAgeMs: 0,
		maxItems: 1,
	});

	it('is the newest record that fits the event and the filters', async () => {
		const page = [
			{ guid: 'old', createdDate: CREATED, changeDate: LATER, guests: 2 },
			{ guid: 'newest', createdDate: CREATED, changeDate: LAST, guests: 2 },
			{ guid: 'too small', createdDate: CREATED, changeDate: LAST, guests: 1 },
			{ guid: 'only made', createdDate: LAST, changeDate: LAST, guests: 2 },
		];
		const sample = await findSample(settingsOf(feed), now, () => Promise.resolve(page));
		expect(sample?.record).toBe(page[1]);
	});

	it('is looked for up to a year back, in three calls', async () => {
		const asked: unknown[] = [];
		const fetch = (_path: string, query: object) => {
			asked.push(query);
			return Promise.resolve([]);
		};
		expect(await findSample(settingsOf(feed), now, fetch)).toBeUndefined();
		expect(asked).toEqual([
			{ changedFrom: '2026-06-29T12:00:00.000Z' },
			{ changedFrom: '2026-06-01T12:00:00.000Z' },
			{ changedFrom: '2025-07-01T12:00:00.000Z' },
		]);
	});

	it('is looked for once where the service lists everything anyway', async () => {
		const fetch = jest.fn(() => Promise.resolve([]));
		expect(await findSample(settingsOf(recipientFeed('')), now, fetch)).toBeUndefined();
		expect(fetch).toHaveBeenCalledTimes(1);
	});
});
