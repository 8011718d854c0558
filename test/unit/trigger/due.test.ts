import { DateTime } from 'luxon';

import { type DueEvent, dueFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import type { FollowSettings, Step } from '../../../nodes/HospitalityBookingTrigger/follow/step';
import type { Position } from '../../../nodes/HospitalityBookingTrigger/state/stored';
import { readTimestamp } from '../../../nodes/shared/values/timestamp';
import { BASELINE, HOUR, MINUTE, NOW, NO_FILTERS, asStored, at, follow, nameOf } from './support';

const A_DAY = 48;

/** @param distanceMs before the start or after the end */
function followDue(event: DueEvent, settings: Partial<FollowSettings> = {}, distanceMs = HOUR) {
	const follower = follow(dueFeed(event, distanceMs, { filters: NO_FILTERS, include: [] }), settings);
	const query = (...given: Parameters<typeof follower.ask>) => {
		const [startTime = '', endTime = ''] = follower.ask(...given);
		return { startTime, endTime };
	};
	return { ...follower, query };
}

const namesIn = ({ emit }: Step<Position>) => emit.map(({ record }) => nameOf(record));

it.each<DueEvent>(['bookingStartsSoon', 'bookingEnded'])(
	'bounds the state by the bookings of the window, and the poll by the window, over 30 days: %s',
	(event) => {
		const follower = followDue(event, {}, 24 * HOUR);
		const bookings = Array.from({ length: 34 * A_DAY }, (_, index) => {
			const time = at((index * 24 * 60) / A_DAY);
			return { guid: `guid-${index}`, start: time, end: time, status: 1 };
		});
		let position: Position = follower.begin(BASELINE, NOW);
		const sizes: number[] = [];
		const pages: number[] = [];
		let emitted = 0;
		for (let now = NOW; now < NOW + 30 * 24 * HOUR; now += HOUR) {
			const { startTime, endTime } = follower.query(position, now);
			const page = bookings.filter(({ start }) => start >= startTime && start <= endTime);
			const step = follower.advance(position, page, now);
			position = asStored(step.position);
			emitted += step.emit.length;
			sizes.push(JSON.stringify(position).length);
			pages.push(page.length);
		}
		expect(emitted).toBeGreaterThan(28 * A_DAY);
		expect(Math.max(...pages)).toBeLessThanOrEqual(2 * A_DAY + 10);
		// What has come out is remembered beyond its window, so that no clock brings it back.
		expect(Math.max(...sizes)).toBeLessThan(300 + 25 * 1000);
	},
);

it('keeps what waits for room though it is too old by now', () => {
	const follower = followDue('bookingStartsSoon', { maxAgeMs: HOUR, maxItems: 1 });
	const page = ['one', 'two'].map((guid) => ({ guid, start: at(1), end: at(1), status: 1 }));
	const baseline = follower.advance(follower.begin(BASELINE, NOW), [], NOW);
	const { position, emit } = follower.advance(baseline.position, page, NOW);
	const later = NOW + 5 * HOUR;

	expect(emit).toHaveLength(1);
	expect(Date.parse(follower.query(position, later).startTime)).toBeLessThanOrEqual(NOW + MINUTE);
	expect(follower.advance(position, page, later).emit).toHaveLength(1);
});

test('Booking Starts Soon does not come for what was entered after it had started, with polls an hour apart', () => {
	const follower = followDue('bookingStartsSoon');
	const booking = (guid: string, createdDate: string, start: number) => ({
		...{ guid, createdDate },
		...{ start: at(start), end: at(start + 60) },
	});
	const { position } = follower.advance(follower.begin(BASELINE, NOW), [], NOW);
	const page = [
		booking('walk-in', at(150), 144),
		booking('missed', at(-60), 144),
		booking('made in time', at(150), 156),
	];
	expect(namesIn(follower.advance(position, page, NOW + 3 * HOUR))).toEqual(['missed', 'made in time']);
});

test('Booking Starts Soon comes for what was made just before its start and is shown within the overlap, once', () => {
	const follower = followDue('bookingStartsSoon');
	const late = { guid: 'late', createdDate: at(9.9), start: at(10), end: at(60) };
	const movedBack = { guid: 'moved back', createdDate: at(-60), start: at(5), end: at(60) };
	let position: Position = follower.begin(BASELINE, NOW);
	const out = [0, 10, 11, 12, 13].map((minutes) => {
		const page = minutes > 10 ? [late, movedBack] : [];
		const step = follower.advance(position, page, NOW + minutes * MINUTE);
		position = asStored(step.position);
		return namesIn(step).join();
	});
	expect(out).toEqual(['', '', 'late', '', '']);
});

describe('another Time Zone in the credential', () => {
	it.each([
		['UTC', 'Europe/Stockholm'],
		['UTC', 'America/New_York'],
		['Asia/Tokyo', 'UTC'],
	])('loses and repeats nothing: %s, then %s', (wrong, right) => {
		const local = (ms: number) => DateTime.fromMillis(ms, { zone: right }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
		const createdDate = local(NOW - 48 * HOUR);
		for (const event of ['bookingStartsSoon', 'bookingEnded'] as const) {
			const page = Array.from({ length: 48 }, (_, index) => {
				const time = NOW + (index - 16) * (HOUR / 2);
				const due = event === 'bookingEnded' ? time + HOUR : time - HOUR;
				return { guid: String(index), start: local(time), end: local(time), createdDate, due };
			});
			const out: string[] = [];
			let position: Position = followDue(event, { zone: wrong }).begin(BASELINE, NOW);
			for (let now = NOW; now <= NOW + 30 * HOUR; now += HOUR / 12) {
				const zone = now < NOW + 4 * HOUR ? wrong : right;
				const follower = followDue(event, { zone });
				const { startTime, endTime } = follower.query(position, now);
				const from = readTimestamp(startTime, zone)?.local ?? 0;
				const to = readTimestamp(endTime, zone)?.local ?? 0;
				const wall = (text: string) =>
					readTimestamp(text, right)?.[startTime.endsWith('Z') ? 'ms' : 'local'] ?? 0;
				const listed = page.filter(({ start, end }) => wall(end) > from && wall(start) < to);
				const step = follower.advance(position, listed, now);
				position = step.position;
				out.push(...namesIn(step));
			}
			expect(out).toEqual([...new Set(out)]);
			const must = page.filter(({ due }) => due > NOW).map(({ guid }) => guid);
			expect(out).toEqual(expect.arrayContaining(must));
		}
	});

	it.each([
		['Asia/Tokyo', 'had ended before the trigger began'],
		['America/New_York', 'was still to come'],
	])('brings what by the zone %s %s, and nothing that really had ended before', (zone) => {
		const wrong = followDue('bookingEnded', { zone }, HOUR / 2);
		const right = followDue('bookingEnded', { zone: 'Asia/Kolkata' }, HOUR / 2);
		const page = [
			{ guid: 'ended before', start: '2026-07-01T16:00:00', end: '2026-07-01T16:59:00' },
			{ guid: 'due at the next poll', start: '2026-07-01T16:00:00', end: '2026-07-01T17:30:00' },
			{ guid: 'due later', start: '2026-07-01T16:00:00', end: '2026-07-01T18:30:00' },
		];
		const begun = wrong.advance(wrong.begin(BASELINE, NOW), page, NOW);
		const corrected = right.advance(begun.position, page, NOW + HOUR);
		const later = right.advance(corrected.position, page, NOW + 2 * HOUR);
		const last = right.advance(later.position, page, NOW + 3 * HOUR);
		const out = [begun, corrected, later, last].map(namesIn);

		expect(out).toEqual([[], ['due at the next poll'], ['due later'], []]);
	});

	it('brings what was passed over, however long ago, as long as the right zone makes it due', () => {
		const wrong = followDue('bookingEnded', { zone: 'Asia/Tokyo', maxAgeMs: 3 * HOUR }, HOUR / 2);
		const right = followDue('bookingEnded', { zone: 'Asia/Kolkata', maxAgeMs: 3 * HOUR }, HOUR / 2);
		const page = [{ guid: '1', start: '2026-07-01T16:00:00', end: '2026-07-01T18:30:00' }];
		const begun = wrong.advance(wrong.begin(BASELINE, NOW), page, NOW);
		const later = wrong.advance(begun.position, page, NOW + 3.1 * HOUR);

		expect([begun, later].map(namesIn)).toEqual([[], []]);
		expect(namesIn(right.advance(later.position, page, NOW + 3.2 * HOUR))).toEqual(['1']);
	});

	it('asks for what waits for room whatever its time is by the right zone', () => {
		const wrong = followDue('bookingStartsSoon', { zone: 'UTC', maxItems: 1, maxAgeMs: HOUR });
		const start = '2026-07-01T12:30:00';
		const page = ['1', '2'].map((guid) => ({ guid, start, end: start }));
		const begun = wrong.advance(wrong.begin(BASELINE, NOW - HOUR), [], NOW - HOUR);
		const { position } = wrong.advance(begun.position, page, NOW);
		const right = followDue('bookingStartsSoon', { zone: 'Asia/Tokyo', maxAgeMs: HOUR });

		expect(right.query(position, NOW + MINUTE).startTime < start).toBe(true);
		expect(namesIn(right.advance(position, page, NOW + MINUTE))).toEqual(['2']);
	});

	it('brings what was booked late and has started since the trigger looked last', () => {
		const wrong = followDue('bookingStartsSoon', { zone: 'America/New_York' });
		const begun = wrong.advance(wrong.begin(BASELINE, NOW), [], NOW);
		const page = [{ guid: '1', createdDate: '2026-07-01T17:31:00', start: '2026-07-01T17:35:00' }];
		const right = followDue('bookingStartsSoon', { zone: 'Asia/Kolkata' });

		expect(namesIn(right.advance(begun.position, page, NOW + 10 * MINUTE))).toEqual(['1']);
	});
});
