import {
	type BookingChange,
	type BookingFilters,
	bookingFeed,
} from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { findSample } from '../../../nodes/HospitalityBookingTrigger/follow/sample';
import { bounded, changesSince, factsOf } from '../../../nodes/HospitalityBookingTrigger/state/lastSeen';
import { FOLLOWED, MINUTE, NOW, NO_FILTERS, asStored, at, bookingsOf, follow, nameOf } from './support';

const booking = (guid: string, minutes: number, more: object = {}) => ({
	...{ guid, createdDate: at(-6000), changeDate: at(minutes), status: 1 },
	...{ start: '2026-08-01T18:00:00', end: '2026-08-01T20:00:00' },
	...more,
});

/** Begins with what is standing, then takes one page after the other. */
function changesIn(
	event: BookingChange,
	standing: object[],
	pages: object[][],
	{ filters = {}, startAt = null }: { filters?: Partial<BookingFilters>; startAt?: number | null } = {},
) {
	const follower = follow(bookingsOf(event, filters));
	let { position } = follower.advance(follower.begin(startAt, NOW), [], NOW, standing);
	return pages.map((page, index) => {
		const step = follower.advance(position, page, NOW + (index + 1) * 10 * MINUTE);
		position = asStored(step.position);
		return step.emit.map(({ record, difference }) => [nameOf(record), difference?.changes]);
	});
}

/** What the editor shows for an event. */
const sampleOf = async (event: BookingChange, page: object[]) =>
	await findSample({ feed: bookingsOf(event), ...FOLLOWED }, NOW, () => Promise.resolve(page));

describe('a changed payment', () => {
	const paid = (minutes: number, more: object) => booking('a', minutes, more);

	it('comes with the amounts as they were, and not for another change', () => {
		const polls = changesIn(
			'bookingPaymentChanged',
			[paid(-600, { chargeAuthorizedAmount: 80 })],
			[
				[paid(1, { chargeAuthorizedAmount: 80, message: 'By the window' })],
				[paid(11, { chargeAuthorizedAmount: 80, chargePayedAmount: 80 })],
				[paid(11, { chargeAuthorizedAmount: 80, chargePayedAmount: 80 })],
			],
		);
		const before = { chargeAuthorizedAmount: 80, chargePayedAmount: 0, chargeRefundedAmount: 0 };
		expect(polls).toEqual([[], [['a', { fields: ['chargePayedAmount'], before }]], []]);
	});

	it('comes for a payment event, whatever the order of the list', () => {
		const [one, other] = [{ id: 1 }, { id: 2 }];
		const polls = changesIn(
			'bookingPaymentChanged',
			[paid(-600, { paymentEvents: [one] })],
			[[paid(1, { paymentEvents: [one, other] })], [paid(11, { paymentEvents: [other, one] })]],
		);
		expect(polls).toEqual([[['a', expect.objectContaining({ fields: ['paymentEvents'] })]], []]);
	});

	it.each<[object, boolean]>([
		[{ chargePayedAmount: 5 }, true],
		[{ chargeRefundedAmount: 5 }, true],
		[{ chargeAuthorizedAmount: 5 }, false],
		[{ paymentEvents: [{ id: 1 }] }, false],
	])('%j comes with the filter Paid, Refunded: %s', (change, comes) => {
		const changedAmounts = ['chargePayedAmount', 'chargeRefundedAmount'];
		const pages = [[paid(1, change)]];
		const [poll] = changesIn('bookingPaymentChanged', [paid(-600, {})], pages, {
			filters: { changedAmounts },
		});
		expect(poll).toHaveLength(Number(comes));
	});

	it('comes for a booking that is made with one, and not for one that was there and was not seen', () => {
		const fresh = booking('fresh', 1, { createdDate: at(1), chargePayedAmount: 10 });
		const old = booking('old', 1, { chargePayedAmount: 10 });
		const unpaid = booking('unpaid', 1, { createdDate: at(1), paymentEvents: null });
		const polls = changesIn(
			'bookingPaymentChanged',
			[],
			[[fresh, old, unpaid], [{ ...old, changeDate: at(11), chargePayedAmount: 30 }]],
		);
		expect(polls.map((poll) => poll.map(([guid]) => guid))).toEqual([['fresh'], ['old']]);
	});

	it('comes for a booking that was there when the trigger began and is shown by a later poll, when it changes then', () => {
		const createdDate = at(-0.001);
		const pages = [
			[booking('a', -0.001, { createdDate })],
			[booking('a', 5, { createdDate, chargePayedAmount: 10 })],
		];
		const polls = changesIn('bookingPaymentChanged', [], pages, { startAt: NOW });
		expect(polls.map((poll) => poll.length)).toEqual([0, 1]);
	});

	it('is shown in the editor by a booking that has one', async () => {
		const page = [booking('a', -1), booking('b', -2, { chargePayedAmount: 10 })];
		expect(await sampleOf('bookingPaymentChanged', page)).toMatchObject({
			record: { guid: 'b' },
			difference: { changes: { fields: ['chargePayedAmount'], before: { chargePayedAmount: 0 } } },
		});
	});
});

describe('a booking that is moved', () => {
	it('comes with both earlier times, again when it is moved back, and not when it is first seen', () => {
		const later = { end: '2026-08-01T21:00:00' };
		const polls = changesIn(
			'bookingRescheduled',
			[booking('a', -600)],
			[
				[booking('a', 1, later), booking('new', 1)],
				[booking('a', 11, { ...later, guests: 4 })],
				[booking('a', 21), booking('new', 21, later)],
			],
		);
		const before = (end: string) => ({ start: '2026-08-01T18:00:00', end });
		expect(polls).toEqual([
			[['a', { fields: ['end'], before: before('2026-08-01T20:00:00') }]],
			[],
			[
				['a', { fields: ['end'], before: before('2026-08-01T21:00:00') }],
				['new', { fields: ['end'], before: before('2026-08-01T20:00:00') }],
			],
		]);
	});

	it('that changed since the beginning counts is not known by what it is when the trigger begins', () => {
		const follower = follow(bookingsOf('bookingRescheduled'));
		const standing = [booking('a', -5, { start: '2026-08-02T18:00:00' }), booking('b', -60)];
		const begun = follower.begin(NOW - 10 * MINUTE, NOW);
		const { position } = follower.advance(begun, [], NOW, standing);
		expect(Object.keys(position.known ?? {})).toHaveLength(1);
	});

	it('is asked for at the beginning, within a month before and two years after, and only then', () => {
		const follower = follow(bookingsOf('bookingRescheduled'));
		const begun = follower.begin(null, NOW);
		expect(follower.standing?.(begun, NOW)).toEqual({
			startTime: '2026-06-01T12:00:00.000Z',
			endTime: '2028-06-30T12:00:00.000Z',
		});
		const { position } = follower.advance(begun, [], NOW);
		expect(follower.standing?.(position, NOW)).toBeUndefined();
		expect(follow(bookingsOf('bookingUpdated')).standing?.(begun, NOW)).toBeUndefined();
	});

	it('is shown in the editor with its own times', async () => {
		const sample = await sampleOf('bookingRescheduled', [booking('a', -1)]);
		const before = { start: '2026-08-01T18:00:00', end: '2026-08-01T20:00:00' };
		expect(sample?.difference?.changes).toEqual({ fields: [], before });
	});
});

describe('what changed of a booking', () => {
	const whole = (include: string[] = ['includeContact']) =>
		follow(bookingFeed('bookingUpdated', NO_FILTERS, include, true));
	const contact = { fname: 'Anna', lname: 'Lind', email: 'anna@example.com' };
	const long = 'x'.repeat(250);
	const old = booking('a', -600, { guests: 2, message: long, contact, menus: null });
	const { position: begun } = whole().advance(whole().begin(null, NOW), [], NOW, [old]);
	const changesOf = (page: object[], position = begun, follower = whole()) =>
		follower.advance(position, page, NOW + 10 * MINUTE).emit.map(({ difference }) => difference?.changes);

	it('is named: simplified fields by what they were, all others by their name', () => {
		const changed = { ...old, changeDate: at(1), guests: 4, contact: { ...contact, email: 'a@example.com' } };
		const [changes] = changesOf([{ ...changed, menus: [{ name: 'Tasting' }] }]);
		expect(changes?.fields).toEqual(['guests', 'email', 'contact', 'menus']);
		expect(changes?.before).toMatchObject({ guests: 2, guestName: 'Anna Lind', email: 'anna@example.com' });
		expect(changes?.before).not.toHaveProperty('guid');
	});

	it('is told of a long text by its name, and its first 200 characters as they were', () => {
		const [changes] = changesOf([{ ...old, changeDate: at(1), message: `${long}!` }]);
		expect(changes).toMatchObject({ fields: ['message'], before: { message: 'x'.repeat(200) } });
	});

	it('is known from the creation on, and not known of a booking that was not seen', () => {
		const made = booking('made', 1, { createdDate: at(1), guests: 2 });
		const { position } = whole().advance(begun, [made], NOW + 2 * MINUTE);
		expect(changesOf([{ ...made, changeDate: at(5), guests: 3 }], position)).toEqual([
			expect.objectContaining({ fields: ['guests'] }),
		]);
		expect(changesOf([booking('unseen', 1)])).toEqual([null]);
	});

	it('leaves out what is not included, and begins anew where that is another', () => {
		const bare = { ...old, contact: undefined };
		const { position } = whole([]).advance(whole([]).begin(null, NOW), [], NOW, [bare]);
		const [changes] = changesOf([{ ...bare, changeDate: at(1), guests: 5 }], position, whole([]));
		expect(changes?.before).not.toHaveProperty('guestName');
		expect(changesOf([{ ...old, changeDate: at(1), guests: 5 }], position)).toEqual([null]);
	});

	it('is learned once where the option is set while published, and forgotten where it is taken off', () => {
		const without = follow(bookingsOf('bookingUpdated'));
		const { position } = without.advance(without.begin(null, NOW), [old], NOW);
		expect(whole().standing?.(position, NOW)).toBeDefined();
		expect(whole().standing?.(begun, NOW)).toBeUndefined();
		expect(without.advance(begun, [booking('b', 1)], NOW + MINUTE).position.known).toBeUndefined();
	});

	it('takes some 400 characters of the state a booking', () => {
		expect(JSON.stringify(begun.known).length - 200).toBeLessThan(300);
	});
});

describe('a status without a history', () => {
	it('does not come again when something else changes, however much later', () => {
		const shown = [
			booking('a', 1, { status: 3 }),
			booking('a', 11, { status: 3, guests: 4 }),
			booking('a', 21, { status: 4 }),
		];
		const polls = changesIn(
			'bookingStatusChanged',
			[],
			shown.map((record) => [record]),
		);
		expect(polls.map((poll) => poll.length)).toEqual([1, 0, 1]);
	});

	it('with one is remembered by the service', () => {
		const history = [{ changeDate: at(-6000), status: 1, statusName: 'One' }];
		const follower = follow(bookingsOf('bookingStatusChanged'));
		const { position } = follower.advance(follower.begin(null, NOW), [booking('a', -1, { history })], NOW);
		expect(position.known).toEqual({});
	});
});

describe('what is remembered', () => {
	const facts = (note: unknown, more: object = {}) => factsOf({ guests: 2, ...more }, { note });

	it('tells a value by what it was, and the rest by a hash', () => {
		const seen = facts('secret').digest;
		expect(JSON.stringify(seen)).not.toContain('secret');
		expect(changesSince(seen, facts('other', { guests: 3 }))).toEqual({
			fields: ['guests', 'note'],
			before: { guests: 2 },
		});
		expect(changesSince(seen, facts('secret'))?.fields).toEqual([]);
	});

	it('of other parts tells nothing', () => {
		expect(changesSince(facts('a').digest, facts('a', { more: 1 }))).toBeUndefined();
		expect(changesSince(facts('a').digest, factsOf({ guests: 2 }))).toBeUndefined();
		expect(changesSince(undefined, facts('a'))).toBeUndefined();
	});

	it('stays within 500,000 characters: what was seen the longest ago is forgotten', () => {
		const { digest } = factsOf({ start: '2026-08-01T18:00:00', end: '2026-08-01T20:00:00' });
		const all = new Map(Array.from({ length: 20_000 }, (_, index) => [`id ${index}`, digest]));
		const kept = bounded(all);
		const { length } = Object.keys(kept);
		expect(length).toBeGreaterThan(7000);
		expect(JSON.stringify(kept).length).toBeLessThanOrEqual(500_000);
		expect(Object.keys(kept)).toEqual([...all.keys()].slice(-length));
	});
});
