import { DateTime } from 'luxon';

import { type DueEvent, dueFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { maxAgeOf } from '../../../nodes/HospitalityBookingTrigger/form/readForm';
import { followerOf } from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import type { Position } from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { readTimestamp } from '../../../nodes/HospitalityBookingTrigger/timestamps';

const BEGIN = Date.parse('2026-07-01T12:00:00Z');
const HOUR = 3_600_000;
const A_DAY = 48;
const NO_FILTERS = { unitIds: [], unitParameter: 'unitIds', statuses: [], leaveOutStatuses: [] };

describe('the state of an event that is due by the booking’s own time', () => {
	it.each<DueEvent>(['bookingStartsSoon', 'bookingEnded'])(
		'is bounded by the bookings of the window, and the poll by the window, over 30 days: %s',
		(event) => {
			const settings = { zone: 'UTC', overlapMs: 0, maxAgeMs: 24 * HOUR, maxItems: 500 };
			const follower = followerOf({ feed: dueFeed(event, 24 * HOUR, NO_FILTERS, []), ...settings });
			const bookings = Array.from({ length: 34 * A_DAY }, (_, index) => {
				const time = new Date(BEGIN + (index * 24 * HOUR) / A_DAY).toISOString();
				return { guid: `guid-${index}`, start: time, end: time, status: 1 };
			});
			let position: Position = follower.begin(null, BEGIN);
			const sizes: number[] = [];
			const pages: number[] = [];
			let emitted = 0;
			for (let now = BEGIN; now < BEGIN + 30 * 24 * HOUR; now += HOUR) {
				const { startTime, endTime } = follower.query(position, now) as Record<string, string>;
				const page = bookings.filter(({ start }) => start >= `${startTime}` && start <= `${endTime}`);
				const step = follower.advance(position, page, now);
				position = JSON.parse(JSON.stringify(step.position)) as Position;
				emitted += step.emit.length;
				sizes.push(JSON.stringify(position).length);
				pages.push(page.length);
			}
			expect(emitted).toBeGreaterThan(28 * A_DAY);
			expect(Math.max(...pages)).toBeLessThanOrEqual(2 * A_DAY + 10);
			// What has come out is remembered beyond its window, so that no clock brings it back.
			expect(Math.max(...sizes)).toBeLessThan(300 + 16 * 1000);
		},
	);

	it('keeps what waits for room though it is too old by now', () => {
		const settings = { zone: 'UTC', overlapMs: 0, maxAgeMs: HOUR, maxItems: 1 };
		const follower = followerOf({ feed: dueFeed('bookingStartsSoon', HOUR, NO_FILTERS, []), ...settings });
		const start = new Date(BEGIN + 60_000).toISOString();
		const page = ['one', 'two'].map((guid) => ({ guid, start, end: start, status: 1 }));
		const baseline = follower.advance(follower.begin(null, BEGIN), [], BEGIN);
		const { position, emit } = follower.advance(baseline.position, page, BEGIN);
		const later = BEGIN + 5 * HOUR;
		const { startTime } = follower.query(position, later) as Record<string, string>;

		expect(emit).toHaveLength(1);
		expect(Date.parse(`${startTime}`)).toBeLessThanOrEqual(Date.parse(start));
		expect(follower.advance(position, page, later).emit).toHaveLength(1);
	});
});

describe('Booking Starts Soon', () => {
	const settings = { zone: 'UTC', overlapMs: 0, maxAgeMs: 24 * HOUR, maxItems: 500 };
	const follower = followerOf({ feed: dueFeed('bookingStartsSoon', HOUR, NO_FILTERS, []), ...settings });
	const at = (ms: number) => new Date(BEGIN + ms).toISOString();
	const booking = (guid: string, createdDate: string | null, start: number) => ({
		guid,
		createdDate,
		start: at(start),
		end: at(start + HOUR),
	});
	const names = (page: unknown[], position: Position, now: number) =>
		follower.advance(position, page, now).emit.map(({ record }) => (record as { guid: string }).guid);

	it('does not come for what was entered after it had started, with polls an hour apart and from any older state', () => {
		const { position } = follower.advance(follower.begin(null, BEGIN), [], BEGIN);
		const page = [
			booking('walk-in', at(2.5 * HOUR), 2.4 * HOUR),
			booking('missed', at(-HOUR), 2.4 * HOUR),
			booking('made in time', at(2.5 * HOUR), 2.6 * HOUR),
		];
		expect(names(page, position, BEGIN + 3 * HOUR)).toEqual(['missed', 'made in time']);
	});
});

describe('what may have been dropped', () => {
	it.each<[string, number, number, string]>([
		['n8n’s clock is set back', -720 * HOUR, HOUR, 'UTC'],
		['the time before the start is shorter', 0, 0, 'UTC'],
		['the time zone is another one', 0, HOUR, 'America/New_York'],
	])('is in the response though %s meanwhile', (_what, jump, distance, zone) => {
		const settings = { zone: 'Asia/Tokyo', overlapMs: 0, maxAgeMs: 24 * HOUR, maxItems: 500 };
		const local = new Date(BEGIN + 9 * HOUR + HOUR / 2).toISOString().slice(0, 19);
		const follower = followerOf({ feed: dueFeed('bookingStartsSoon', HOUR, NO_FILTERS, []), ...settings });
		const baseline = follower.advance(follower.begin(null, BEGIN), [], BEGIN);
		const page = [{ guid: 'one', start: local, end: local }];
		const { position, emit, origin } = follower.advance(baseline.position, page, BEGIN);
		expect(emit).toHaveLength(1);
		const feed = dueFeed('bookingStartsSoon', distance, NO_FILTERS, []);
		const { startTime, endTime } = followerOf({ ...settings, feed, zone }).query(
			position,
			BEGIN + jump,
			origin,
		) as Record<string, string>;
		expect([endTime, local, startTime].toSorted()).toEqual([startTime, local, endTime]);
	});
});

describe('another Time Zone in the credential', () => {
	it.each([
		['UTC', 'Europe/Stockholm'],
		['UTC', 'America/New_York'],
		['Asia/Tokyo', 'UTC'],
	])('loses and repeats nothing: %s, then %s', (wrong, right) => {
		for (const event of ['bookingStartsSoon', 'bookingEnded'] as const) {
			const local = (ms: number) =>
				DateTime.fromMillis(ms, { zone: right }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
			const page = Array.from({ length: 48 }, (_, index) => {
				const time = BEGIN + (index - 16) * (HOUR / 2);
				const [start, createdDate] = [local(time), local(BEGIN - 48 * HOUR)];
				return {
					guid: String(index),
					start,
					end: start,
					createdDate,
					due: event === 'bookingEnded' ? time + HOUR : time - HOUR,
				};
			});
			const out: string[] = [];
			const settings = { overlapMs: 0, maxAgeMs: 24 * HOUR, maxItems: 500 };
			const feed = dueFeed(event, HOUR, NO_FILTERS, []);
			let position: Position = followerOf({ feed, zone: wrong, ...settings }).begin(null, BEGIN);
			for (let now = BEGIN; now <= BEGIN + 30 * HOUR; now += HOUR / 12) {
				const zone = now < BEGIN + 4 * HOUR ? wrong : right;
				const follower = followerOf({ feed, zone, ...settings });
				const { startTime, endTime } = follower.query(position, now) as Record<string, string>;
				const from = readTimestamp(startTime, zone)?.wall ?? 0;
				const to = readTimestamp(endTime, zone)?.wall ?? 0;
				const isUtc = startTime?.endsWith('Z');
				const wall = (text: string) => readTimestamp(text, right)?.[isUtc ? 'ms' : 'wall'] ?? 0;
				const listed = page.filter(({ start, end }) => wall(end) > from && wall(start) < to);
				const step = follower.advance(position, listed, now);
				position = step.position;
				out.push(...step.emit.map(({ record }) => (record as { guid: string }).guid));
			}
			const must = page.filter(({ due }) => due > BEGIN).map(({ guid }) => guid);
			expect(out.filter((guid, index) => out.indexOf(guid) !== index)).toEqual([]);
			expect(must.filter((guid) => !out.includes(guid))).toEqual([]);
		}
	});

	it('brings what by the wrong zone had ended before the trigger began, and nothing that really had', () => {
		const feed = dueFeed('bookingEnded', HOUR / 2, NO_FILTERS, []);
		const settings = { feed, overlapMs: 0, maxAgeMs: 24 * HOUR, maxItems: 500 };
		const wrong = followerOf({ ...settings, zone: 'Asia/Tokyo' });
		const right = followerOf({ ...settings, zone: 'Asia/Kolkata' });
		const page = [
			{ guid: 'ended before', start: '2026-07-01T16:00:00', end: '2026-07-01T16:59:00' },
			{ guid: 'due at the next poll', start: '2026-07-01T16:00:00', end: '2026-07-01T17:30:00' },
			{ guid: 'due later', start: '2026-07-01T16:00:00', end: '2026-07-01T18:30:00' },
		];
		const begun = wrong.advance(wrong.begin(null, BEGIN), page, BEGIN);
		const corrected = right.advance(begun.position, page, BEGIN + HOUR);
		const later = right.advance(corrected.position, page, BEGIN + 2 * HOUR);
		const last = right.advance(later.position, page, BEGIN + 3 * HOUR);
		const out = [begun, corrected, later, last].map(({ emit }) =>
			emit.map(({ record }) => (record as { guid: string }).guid),
		);

		expect(out).toEqual([[], ['due at the next poll'], ['due later'], []]);
	});

	it('brings what was booked late and has started since the trigger looked last', () => {
		const feed = dueFeed('bookingStartsSoon', HOUR, NO_FILTERS, []);
		const settings = { feed, overlapMs: 0, maxAgeMs: 24 * HOUR, maxItems: 500 };
		const wrong = followerOf({ ...settings, zone: 'America/New_York' });
		const begun = wrong.advance(wrong.begin(null, BEGIN), [], BEGIN);
		const [createdDate, start] = ['2026-07-01T17:31:00', '2026-07-01T17:35:00'];
		const right = followerOf({ ...settings, zone: 'Asia/Kolkata' });
		const now = BEGIN + HOUR / 6;

		expect(right.advance(begun.position, [{ guid: '1', createdDate, start }], now).emit).toHaveLength(1);
	});
});

describe('Max Age', () => {
	it.each([
		[0.5, [], 0.5],
		[0.5, [{ mode: 'everyHour' }], 1],
		[1, [{ mode: 'everyX', unit: 'hours', value: 6 }], 6],
		[24, [{ mode: 'everyDay' }], 25],
		[24, [{ mode: 'everyDay' }, { mode: 'everyMinute' }], 24],
		[24, [{ mode: 'custom', cronExpression: '* * * * *' }], 24],
	])('of %s hours with polls %j is at least %s hours', (hours, item, least) => {
		expect(maxAgeOf(hours, { item })).toBeGreaterThanOrEqual(least * HOUR);
		expect(maxAgeOf(hours, { item })).toBeLessThan((least + 0.2) * HOUR);
	});
});
