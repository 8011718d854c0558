import type { BookingChange, BookingFilters } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import type { Compared } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { hashesOf } from '../../../nodes/HospitalityBookingTrigger/feeds/hashes';
import type { Start } from '../../../nodes/HospitalityBookingTrigger/follow/step';
import { findSample } from '../../../nodes/HospitalityBookingTrigger/poll/sample';
import { Memory } from '../../../nodes/HospitalityBookingTrigger/state/known';
import type { ChangePosition, Position } from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { BASELINE, DAY, FOLLOWED, MINUTE, NOW, asStored, at, bookingsOf, follow, nameOf } from './support';

const booking = (guid: string, minutes: number, more: object = {}) => ({
	...{ guid, createdDate: at(-6000), changeDate: at(minutes), status: 1 },
	...{ start: '2026-08-01T18:00:00', end: '2026-08-01T20:00:00' },
	...more,
});

/** Begins with a baseline, then takes one page after the other. */
function changesIn(
	event: BookingChange,
	records: object[],
	pages: object[][],
	{ filters = {}, start = BASELINE }: { filters?: Partial<BookingFilters>; start?: Start } = {},
) {
	const follower = follow(bookingsOf(event, filters));
	let { position } = follower.advance(follower.begin(start, NOW), [], NOW, { records });
	return pages.map((page, index) => {
		const step = follower.advance(position, page, NOW + (index + 1) * 10 * MINUTE);
		position = asStored(step.position);
		return step.emit.map(({ record, changes }) => [nameOf(record), changes]);
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

	it('of null is one of 0', () => {
		const polls = changesIn(
			'bookingPaymentChanged',
			[paid(-600, { chargePayedAmount: null })],
			[[paid(1, { chargePayedAmount: 0 })], [paid(11, { chargePayedAmount: 5 })], [paid(21, {})]],
		);
		expect(polls.map((poll) => poll.length)).toEqual([0, 1, 1]);
	});

	it('is compared with what was seen of a GUID in other letter case', () => {
		const polls = changesIn(
			'bookingPaymentChanged',
			[booking('abc', -600, { chargePayedAmount: 5 })],
			[[booking('ABC', 1, { chargePayedAmount: 7 })], [booking('abc', 11, { chargePayedAmount: 7 })]],
		);
		const before = expect.objectContaining({ chargePayedAmount: 5 }) as object;
		expect(polls).toEqual([[['ABC', { fields: ['chargePayedAmount'], before }]], []]);
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
		const polls = changesIn('bookingPaymentChanged', [], pages, { start: { kind: 'since', at: NOW } });
		expect(polls.map((poll) => poll.length)).toEqual([0, 1]);
	});

	it('that left the change date alone comes with the next change, though the service shows the booking unasked', () => {
		const others = ['x', 'y', 'z'].map((guid) => booking(guid, 1));
		const polls = changesIn(
			'bookingPaymentChanged',
			[paid(-600, {}), ...others],
			[
				others,
				[...others, paid(-600, { chargePayedAmount: 5 })],
				[...others, paid(25, { chargePayedAmount: 5 })],
			],
		);
		expect(polls.map((poll) => poll.map(([guid]) => guid))).toEqual([[], [], ['a']]);
	});

	it('is shown in the editor by a booking that has one', async () => {
		const page = [booking('a', -1), booking('b', -2, { chargePayedAmount: 10 })];
		expect(await sampleOf('bookingPaymentChanged', page)).toMatchObject({
			record: { guid: 'b' },
			changes: { fields: ['chargePayedAmount'], before: { chargePayedAmount: 0 } },
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
		const records = [booking('a', -5, { start: '2026-08-02T18:00:00' }), booking('b', -60)];
		const begun = follower.begin({ kind: 'since', at: NOW - 10 * MINUTE }, NOW);
		expect(knownOf(follower.advance(begun, [], NOW, { records }).position)).toHaveLength(1);
	});

	it('is shown in the editor with its own times', async () => {
		const sample = await sampleOf('bookingRescheduled', [booking('a', -1)]);
		const before = { start: '2026-08-01T18:00:00', end: '2026-08-01T20:00:00' };
		expect(sample?.changes).toEqual({ fields: [], before });
	});
});

describe('what changed of a booking', () => {
	const whole = (include: string[] = ['includeContact']) =>
		follow(bookingsOf('bookingUpdated', {}, { include, whatChanged: true }));
	const contact = { fname: 'Anna', lname: 'Lind', email: 'anna@example.com' };
	const old = booking('a', -600, { guests: 2, message: 'Nuts, please', contact, menus: null });
	const begunWith = (record: object, follower = whole()) =>
		follower.advance(follower.begin(BASELINE, NOW), [], NOW, { records: [record] }).position;
	const begun = begunWith(old);
	const changesOf = (page: object[], position: Position = begun, follower = whole()) =>
		follower.advance(position, page, NOW + 10 * MINUTE).emit.map(({ changes }) => changes);

	it('is named, with start, end, guests and status as they were', () => {
		const changed = { ...old, changeDate: at(1), guests: 4, contact: { ...contact, email: 'a@example.com' } };
		const [changes] = changesOf([{ ...changed, menus: [{ name: 'Tasting' }] }]);
		expect(changes?.fields).toEqual(['guests', 'guestEmail', 'contact', 'menus']);
		expect(changes?.before).toEqual({ start: old.start, end: old.end, guests: 2, statusName: null });
	});

	it('is kept without a word that a guest has written', () => {
		expect(JSON.stringify(begun)).not.toMatch(/Anna|Lind|example\.com|Nuts/);
	});

	it('is known from the creation on, and not known of a booking that was not seen', () => {
		const made = booking('made', 1, { createdDate: at(1), guests: 2 });
		const { position } = whole().advance(begun, [made], NOW + 2 * MINUTE);
		expect(changesOf([{ ...made, changeDate: at(5), guests: 3 }], position)).toEqual([
			expect.objectContaining({ fields: ['guests'] }),
		]);
		expect(changesOf([booking('unseen', 1)])).toEqual([null]);
	});

	it.each<[string[], string[], object]>([
		[[], ['includeContact', 'includeMarkings'], { markings: [{ id: 1 }] }],
		[['includeContact', 'includeMarkings'], [], { contact: undefined, markings: undefined }],
	])('is not what comes or goes by another Include: %j, then %j', (before, after, more) => {
		const bare = before.length === 0 ? { ...old, contact: undefined } : { ...old, markings: [{ id: 1 }] };
		const position = begunWith(bare, whole(before));
		const next = { ...old, ...more, changeDate: at(1), guests: 5 };
		expect(changesOf([next], position, whole(after))).toEqual([
			expect.objectContaining({ fields: ['guests'] }),
		]);
	});

	it('is told of what is kept as it is where another version hashed other fields', () => {
		const { known, ...rest } = begun as ChangePosition;
		const other = { ...rest, known: known && { ...known, hashed: ['another', ...known.hashed] } };
		const changed = { ...old, changeDate: at(1), guests: 4, message: 'None' };
		expect(changesOf([changed], other)).toEqual([expect.objectContaining({ fields: ['guests'] })]);
	});

	it('is learned once where the option is set while published, and forgotten where it is taken off', () => {
		const without = follow(bookingsOf('bookingUpdated'));
		const { position } = without.advance(without.begin(BASELINE, NOW), [old], NOW);
		expect(whole().unread?.(position, NOW)).toBeDefined();
		expect(whole().unread?.(begun, NOW)).toBeUndefined();
		expect(knownOf(without.advance(begun, [booking('b', 1)], NOW + MINUTE).position)).toEqual([]);
	});
});

describe('a status without a history', () => {
	it('that is not shown at all is no change of an edit', () => {
		const unknown = (minutes: number) => booking('a', minutes, { status: undefined });
		expect(changesIn('bookingStatusChanged', [unknown(-600)], [[unknown(1)], [unknown(11)]])).toEqual([
			[],
			[],
		]);
	});

	const undated = (statuses: number[]) => statuses.map((status) => ({ status, changeDate: null }));

	it.each([
		['none', () => null],
		['an empty one', () => []],
		['one without dates', undated],
		['one without dates, the newest first', (statuses: number[]) => undated(statuses).toReversed()],
	])('comes each time it changes, there and back, and not for another change: %s', (_, historyOf) => {
		const polls = ([first = 0, ...more]: number[]) =>
			changesIn(
				'bookingStatusChanged',
				[booking('a', -600, { status: first, history: historyOf([first]) })],
				more.map((status, index) => {
					const history = historyOf([first, ...more.slice(0, index + 1)]);
					const others = ['b', 'c', 'd'].map((guid) =>
						booking(guid, 10 * index + 1, { history: historyOf([1]) }),
					);
					return [booking('a', 10 * index + 1, { status, history }), ...others];
				}),
			).map((poll) => poll.length);
		expect(polls([1, 2, 104, 2, 104, 2])).toEqual([1, 1, 1, 1, 1]);
		expect(polls([2, 2, 2, 1, 1, 1])).toEqual([0, 0, 1, 0, 0]);
	});

	it.each<[BookingChange, number, number[], number[]]>([
		['bookingCanceled', 1, [2, 2, 1, 2], [1, 0, 0, 1]],
		['bookingCanceled', 2, [2, 1, 104, 2], [0, 0, 0, 1]],
		['bookingNoShow', 1, [2, 104, 104, 1], [0, 1, 0, 0]],
	])('that means %s comes when a booking gets it, from %i: %j', (event, first, more, polls) => {
		const statusRoles = { canceled: new Set(['2']), noShow: new Set(['104']) };
		const out = changesIn(
			event,
			[booking('a', -600, { status: first })],
			more.map((status, index) => [booking('a', 10 * index + 1, { status })]),
			{ filters: { statusRoles } },
		);
		expect(out.map((poll) => poll.length)).toEqual(polls);
	});

	it('that means Booking Canceled comes for a booking that is first seen canceled, if it was made since', () => {
		const filters = { statusRoles: { canceled: new Set(['2']) } };
		const page = [
			booking('made since', 1, { createdDate: at(0.5), status: 2 }),
			booking('old', 1, { status: 2 }),
		];
		const [poll] = changesIn('bookingCanceled', [], [page], { filters });
		expect(poll?.map(([guid]) => guid)).toEqual(['made since']);
	});

	it('that means Booking Canceled comes by what the statuses mean today, also where that was edited', () => {
		const meaning = (status: string) =>
			follow(bookingsOf('bookingCanceled', { statusRoles: { canceled: new Set([status]) } }));
		const records = [booking('a', -600, { status: 5 }), booking('b', -600, { status: 1 })];
		const { position } = meaning('2').advance(meaning('2').begin(BASELINE, NOW), [], NOW, { records });
		const page = [booking('a', 1, { status: 5, guests: 4 }), booking('b', 1, { status: 5 })];
		expect(
			meaning('5')
				.advance(position, page, NOW + MINUTE)
				.emit.map(({ record }) => nameOf(record)),
		).toEqual(['b']);
	});

	it('has another key each time', () => {
		const follower = follow(bookingsOf('bookingStatusChanged'));
		const records = [booking('a', -600, { status: 1 })];
		let { position } = follower.advance(follower.begin(BASELINE, NOW), [], NOW, { records });
		const keys = [2, 1, 2, 1].map((status, index) => {
			const page = [booking('a', 10 * index + 1, { status })];
			const step = follower.advance(position, page, NOW + (index + 1) * 10 * MINUTE);
			position = step.position;
			return step.emit[0]?.key;
		});
		expect(new Set(keys).size).toBe(4);
	});

	it('is told by the history where there is one, of which nothing is remembered', () => {
		const history = [{ changeDate: at(-6000), status: 1, statusName: 'One' }];
		const follower = follow(bookingsOf('bookingStatusChanged'));
		const page = [booking('a', -1, { history })];
		expect(knownOf(follower.advance(follower.begin(BASELINE, NOW), page, NOW).position)).toEqual([]);
		expect(follower.compares?.(page)).toBe(false);
	});
});

describe('what is remembered', () => {
	const TODAY = Math.floor(NOW / DAY);
	const record = (id: string, lastDay: number, note = ''): Compared => ({
		...{ id, lastDay },
		now: { values: { start: `2026-08-01T18:00:00${note}`, end: '2026-08-01T20:00:00' }, hashes: '' },
	});
	const remembering = (records: Compared[]) => {
		const memory = new Memory({ hashed: [], records: {} }, []);
		for (const one of records) memory.remember(one);
		return memory.store(TODAY);
	};

	it('tells a value by what it was, and the rest by a hash', () => {
		const snapshot = (note: unknown, guests = 2) => ({ values: { guests }, hashes: hashesOf([note]) });
		expect(JSON.stringify(snapshot('secret'))).not.toContain('secret');
		const changes = (one: unknown, other: unknown) => {
			const memory = new Memory({ hashed: ['note'], records: {} }, ['note']);
			memory.remember({ id: 'a', lastDay: TODAY, now: snapshot(one) });
			return memory.changesOf({ id: 'a', lastDay: TODAY, now: snapshot(other, 3) }, 0);
		};
		expect(changes('secret', 'other')).toEqual({ fields: ['guests', 'note'], before: { guests: 2 } });
		for (const [one, other] of [
			['a', 'a'],
			[null, []],
			[undefined, 'a'],
			['a', undefined],
		])
			expect(changes(one, other)?.fields).toEqual(['guests']);
	});

	it('is forgotten 30 days after a booking is over, by time alone', () => {
		const { records } = remembering([record('long over', TODAY - 31), record('over', TODAY - 30)]);
		expect(Object.keys(records)).toEqual(['over']);
	});

	it('keeps what lies ahead, however long ago it was seen, before what is over', () => {
		const ahead = Array.from({ length: 12_000 }, (_, index) => record(`ahead ${index}`, TODAY + 300));
		const over = Array.from({ length: 12_000 }, (_, index) => record(`over ${index}`, TODAY - 1));
		const { records, isFull } = remembering([...ahead, ...over]);
		const names = Object.keys(records);
		expect(names.filter((name) => name.startsWith('ahead'))).toHaveLength(12_000);
		expect(names.at(-1)).toBe('over 11999');
		expect(names.length).toBeLessThan(24_000);
		expect(JSON.stringify(records).length).toBeLessThanOrEqual(1_000_000);
		expect(isFull).toBeUndefined();
	});

	it('says once that more lies ahead than it can hold, and forgets what was seen the longest ago', () => {
		const records = Array.from({ length: 400 }, (_, index) =>
			booking(`guid-${index}`, -600, { start: `2026-08-01T18:00:00${'0'.repeat(5000)}` }),
		);
		const follower = follow(bookingsOf('bookingRescheduled'));
		const first = follower.advance(follower.begin(BASELINE, NOW), [], NOW, { records });
		expect(first.notices).toEqual([expect.stringContaining('more bookings lie ahead')]);
		const more = [booking('another', 1, { start: '0'.repeat(5000) })];
		expect(follower.advance(asStored(first.position), more, NOW).notices).toEqual([]);
	});
});

function knownOf(position: Position): string[] {
	return Object.keys((position as ChangePosition).known?.records ?? {});
}
