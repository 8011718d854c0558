import {
	advance,
	begin,
	type Beginning,
	type CursorRules,
	type CursorState,
	type Step,
} from '../../../nodes/HospitalityBookingTrigger/cursor';
import { type BookingChange, bookingFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { ChangeFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { generated } from '../../support/thorough';

const NOW = Date.parse('2026-07-01T12:00:00Z');
const MINUTE = 60_000;
const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();

const bookings = (event: BookingChange = 'bookingChanged') =>
	bookingFeed(event, { unitIds: [], unitParameter: 'unitIds', statuses: [], leaveOutStatuses: [] }, []);

function rulesFor(feed: ChangeFeed, rules: Partial<CursorRules<unknown>> = {}): CursorRules<unknown> {
	const { ranking, observe, nameOf } = feed;
	return { zone: 'UTC', overlapMs: 2 * MINUTE, maxItems: 500, now: NOW, ranking, observe, nameOf, ...rules };
}

/** Takes a baseline of a page and then the steps of the pages that follow. */
function steps(
	feed: ChangeFeed,
	pages: unknown[][],
	rules: Partial<CursorRules<unknown>> = {},
	startAt: number | null = null,
) {
	let position: CursorState | Beginning = begin(startAt, feed.ranking, NOW);
	return pages.map((page) => {
		const step = advance(position, page, rulesFor(feed, rules));
		position = JSON.parse(JSON.stringify(step.state)) as CursorState;
		return withRecords(step);
	});
}

/** A step with the records alone where they go out. */
function withRecords<S>({ emit, ...step }: Step<unknown, CursorState, S>) {
	return { ...step, emit: emit.map(({ record }) => record) };
}

const booking = (guid: string, changed: number | string, more: object = {}) => ({
	guid,
	createdDate: at(-600),
	changeDate: typeof changed === 'number' ? at(changed) : changed,
	status: 1,
	...more,
});

describe('the watermark', () => {
	it('is the newest stamp as the service wrote it, and the next poll asks from 2 minutes before in the same form', () => {
		const [step] = steps(bookings(), [
			[booking('a', '2026-07-01T13:00:00.5000000'), booking('b', '2026-07-01T12:59:00')],
		]);
		expect(step?.state.watermark).toBe('2026-07-01T13:00:00.5000000');
		expect(step?.state.from).toBe('2026-07-01T12:58:00.5000000');
	});

	it('reaches two hours back around a daylight-saving change of the time zone', () => {
		const feed = bookings();
		const start = begin(null, 'time', Date.parse('2026-03-29T01:10:00Z'));
		const step = advance(
			start,
			[booking('a', '2026-03-29T03:10:00')],
			rulesFor(feed, { zone: 'Europe/Stockholm' }),
		);
		expect(step.state.from).toBe('2026-03-29T00:10:00');
	});

	it('never goes back for that, because what is older is not remembered', () => {
		const [evening, night] = ['2026-03-28T22:59:00', '2026-03-28T23:05:00'];
		const rules = { zone: 'Europe/Stockholm', now: Date.parse('2026-03-28T22:10:00Z') };
		const first = advance(
			begin(null, 'time', rules.now),
			[booking('a', evening)],
			rulesFor(bookings(), rules),
		);
		const second = advance(first.state, [booking('b', night)], rulesFor(bookings(), rules));
		expect(first.state.from).toBe('2026-03-28T22:57:00');
		expect(second.state.from).toBe('2026-03-28T22:57:00');
	});

	it('stays where it is while nothing comes', () => {
		const [first, second] = steps(bookings(), [[booking('a', 0)], []]);
		expect(second?.state).toEqual(first?.state);
	});

	it('does not go further than what the limit let out', () => {
		const page = [booking('a', 3), booking('b', 1), booking('c', 2)];
		const [, step, ...next] = steps(bookings(), [[], page, page, page, page], { maxItems: 1 });
		expect(step?.emit).toEqual([page[1]]);
		expect(step?.state.watermark).toBe(at(2));
		expect(next.map(({ emit }) => emit)).toEqual([[page[2]], [page[0]], []]);
	});

	it('is two days before now by our clock as long as the service has given no stamp', () => {
		const [step] = steps(bookings(), [[]]);
		expect(step?.state).toMatchObject({ watermark: null, from: at(-48 * 60) });
	});
});

describe('what is new', () => {
	it('comes out oldest first, and not again', () => {
		const page = [booking('a', 2), booking('b', 1)];
		const [, step, again] = steps(bookings(), [[booking('c', 0)], page, page]);
		expect(step?.emit).toEqual([page[1], page[0]]);
		expect(again?.emit).toEqual([]);
	});

	it('comes out although it has the stamp of what was there before', () => {
		const [, step] = steps(bookings(), [[booking('a', 0)], [booking('a', 0), booking('b', 0)]]);
		expect(step?.emit).toEqual([booking('b', 0)]);
	});

	it('is told within one tick of the clock by status and history', () => {
		const changed = booking('a', 0, { status: 2 });
		const [, step] = steps(bookings(), [[booking('a', 0)], [changed]]);
		expect(step?.emit).toEqual([changed]);
	});

	it('is what was changed since Start From', () => {
		const page = [booking('a', -30), booking('b', -10)];
		const [step] = steps(bookings(), [page], {}, NOW - 20 * MINUTE);
		expect(step?.emit).toEqual([page[1]]);
	});

	it('counts by its creation where it was never changed', () => {
		const made = { guid: 'a', createdDate: at(1), changeDate: null };
		const [, step] = steps(bookings(), [[booking('b', 0)], [made]]);
		expect(step?.emit).toEqual([made]);
	});

	it('is a new booking although it waited behind others and was changed meanwhile', () => {
		const created = (guid: string, changed: number) => booking(guid, changed, { createdDate: at(1) });
		const results = steps(
			bookings('bookingCreated'),
			[[], [created('a', 1), created('b', 20)], [created('a', 1), created('b', 40)], [created('b', 40)]],
			{ maxItems: 1 },
		);
		expect(results.flatMap(({ emit }) => emit)).toEqual([created('a', 1), created('b', 40)]);
	});

	it('is not asked for twice when a filter held it back', () => {
		const feed = bookings('bookingCreated');
		const wanting = (wanted: boolean) => ({
			observe: (record: unknown, zone: string) => ({ ...feed.observe(record, zone), wanted }),
		});
		const made = booking('a', 1, { createdDate: at(1) });
		const baseline = advance(begin(null, 'time', NOW), [], rulesFor(feed));
		const held = advance(baseline.state, [made], rulesFor(feed, wanting(false)));
		const later = advance(held.state, [made], rulesFor(feed, wanting(true)));
		expect([...held.emit, ...later.emit]).toEqual([]);
	});
});

describe('a new customer', () => {
	const customer = (id: number, changed: number | null) => ({
		id,
		lastChangedUtc: changed === null ? null : at(changed),
	});

	it('has a higher id than any before', () => {
		const [, step] = steps(customerFeed('customerCreated'), [
			[customer(7, -5000), customer(9, -9000)],
			[customer(7, 1), customer(10, 1), customer(8, 1)],
		]);
		expect(step?.emit).toEqual([customer(10, 1)]);
	});

	it('comes out although one with a higher id was shown before it', () => {
		const [, first, second] = steps(customerFeed('customerCreated'), [
			[customer(7, -5000)],
			[customer(9, 1)],
			[customer(9, 1), customer(8, 1)],
		]);
		expect(first?.emit).toEqual([customer(9, 1)]);
		expect(second?.emit).toEqual([customer(8, 1)]);
	});

	it('needs no change stamp', () => {
		const [, step, again] = steps(customerFeed('customerCreated'), [
			[customer(7, -5000)],
			[customer(8, null)],
			[customer(8, null)],
		]);
		expect(step?.emit).toEqual([customer(8, null)]);
		expect(again?.emit).toEqual([]);
	});
});

describe('a record that cannot be followed', () => {
	it.each([
		[{ changeDate: at(1) }, 'no GUID'],
		[{ guid: 'x', changeDate: 'soon' }, 'x has no readable change date'],
		[{ guid: 'x', changeDate: at(3 * 24 * 60) }, 'more than two days from now'],
		['text', 'no GUID'],
		[null, 'no GUID'],
	])('is skipped with a reason, and the rest goes on: %j', (record, reason) => {
		const good = booking('a', 1);
		const [, step] = steps(bookings(), [[], [record, good]]);
		expect(step?.emit).toEqual([good]);
		expect(step?.skipped).toEqual([expect.stringContaining(reason)]);
		expect(step?.state.watermark).toBe(at(1));
	});
});

describe('another Time Zone in the credential', () => {
	it('neither loses nor repeats what has no offset', () => {
		const local = (guid: string, text: string) => booking(guid, text, { createdDate: text });
		for (const event of ['bookingCreated', 'bookingChanged'] as const) {
			for (const [before, after] of [
				['UTC', 'Asia/Tokyo'],
				['Asia/Tokyo', 'UTC'],
			] as const) {
				const feed = bookings(event);
				const old = local('a', '2026-07-01T12:00:00');
				const seen = local('b', '2026-07-01T12:01:00');
				const fresh = local('c', '2026-07-01T12:01:30');
				const baseline = advance(begin(null, 'time', NOW), [old], rulesFor(feed, { zone: before }));
				const first = advance(baseline.state, [old, seen], rulesFor(feed, { zone: before }));
				const second = advance(first.state, [old, seen, fresh], rulesFor(feed, { zone: after }));
				const third = advance(second.state, [old, seen, fresh], rulesFor(feed, { zone: after }));
				const emitted = [first, second, third].map((step) => withRecords(step).emit);
				expect(emitted).toEqual([[seen], [fresh], []]);
			}
		}
	});
});

describe('the state', () => {
	const bytes = (state: CursorState) =>
		Buffer.byteLength(JSON.stringify({ polling: { watching: '', cursor: state } }));

	it('stays below 256 KiB with 10,000 changes within the overlap', () => {
		const page = Array.from({ length: 10_000 }, (_, index) => booking(`guid-${index}`, 1 + index / 10_000));
		const [, step] = steps(bookings(), [[], page], { maxItems: 10_000 });
		expect(step?.emit).toHaveLength(10_000);
		expect(bytes(step?.state as CursorState)).toBeLessThan(256 * 1024);
	});

	it('does not grow however many changes are processed', () => {
		const rounds = generated(10, 100);
		const feed = bookings();
		let { state } = advance(begin(null, 'time', NOW), [], rulesFor(feed));
		const sizes: number[] = [];
		let emitted = 0;
		for (let round = 0; round < rounds; round++) {
			const page = Array.from({ length: 10_000 }, (_, index) =>
				booking(`guid-${index}`, round * 10 + (index / 10_000) * 10),
			);
			const rules = rulesFor(feed, { maxItems: 10_000, now: NOW + round * 10 * MINUTE });
			const step = advance(state, page, rules);
			state = step.state;
			emitted += step.emit.length;
			sizes.push(bytes(state));
		}
		expect(emitted).toBe(rounds * 10_000);
		expect(Math.max(...sizes)).toBeLessThanOrEqual((sizes[0] ?? 0) + 100);
	});

	it('is bounded for survey answers and customers, too, which are told from all there are', () => {
		const feed = customerFeed('customerCreated');
		const page = Array.from({ length: 50_000 }, (_, id) => ({ id, lastChangedUtc: at(-60 - id) }));
		const [step] = steps(feed, [page]);
		expect(step?.emit).toEqual([]);
		expect(bytes(step?.state as CursorState)).toBeLessThan(1024);
	});
});
