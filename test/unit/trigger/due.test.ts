import type { DueState } from '../../../nodes/HospitalityBookingTrigger/due';
import { type DueEvent, dueFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { type Position, followerOf } from '../../../nodes/HospitalityBookingTrigger/follow';

const BEGIN = Date.parse('2026-07-01T12:00:00Z');
const HOUR = 3_600_000;
const A_DAY = 48;
const NO_FILTERS = { unitIds: [], unitParameter: 'unitIds', statuses: [], leaveOutStatuses: [] };

describe('the state of an event that is due by the booking’s own time', () => {
	it.each<DueEvent>(['bookingStartsSoon', 'bookingEnded'])(
		'is bounded by the bookings of the window, and the poll by the window, over 30 days: %s',
		(event) => {
			const settings = { zone: 'UTC', overlapMs: 0, maxAgeMs: 24 * HOUR };
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
				const step = follower.advance(position, page, now, 500);
				position = JSON.parse(JSON.stringify(step.state)) as DueState;
				emitted += step.emit.length;
				sizes.push(JSON.stringify(position).length);
				pages.push(page.length);
			}
			expect(emitted).toBeGreaterThan(28 * A_DAY);
			expect(Math.max(...pages)).toBeLessThanOrEqual(2 * A_DAY + 10);
			expect(Math.max(...sizes)).toBeLessThan(300 + 16 * (A_DAY + 10));
		},
	);

	it('asks for what waits for room also where an earlier position, too old for it by now, is asked for as well', () => {
		const settings = { zone: 'UTC', overlapMs: 0, maxAgeMs: HOUR };
		const follower = followerOf({ feed: dueFeed('bookingStartsSoon', HOUR, NO_FILTERS, []), ...settings });
		const start = new Date(BEGIN + 60_000).toISOString();
		const page = ['one', 'two'].map((guid) => ({ guid, start, end: start, status: 1 }));
		const earlier = follower.advance(follower.begin(null, BEGIN), [], BEGIN, 1).state;
		const { state, emit } = follower.advance(earlier, page, BEGIN, 1);
		const later = BEGIN + 5 * 60_000;
		const { startTime } = follower.query(state, later, earlier) as Record<string, string>;

		expect(emit).toHaveLength(1);
		expect(Date.parse(`${startTime}`)).toBeLessThanOrEqual(Date.parse(start));
		expect(follower.advance(state, page, later, 1).emit).toHaveLength(1);
	});

	it('goes back to before two batches with what each of them held, though it is too old by now', () => {
		const settings = { zone: 'UTC', overlapMs: 0, maxAgeMs: HOUR };
		const follower = followerOf({ feed: dueFeed('bookingStartsSoon', HOUR, NO_FILTERS, []), ...settings });
		const start = new Date(BEGIN + 60_000).toISOString();
		const booked = (...guids: string[]) => guids.map((guid) => ({ guid, start, end: start, status: 1 }));
		const baseline = follower.advance(follower.begin(null, BEGIN), [], BEGIN, 500).state;
		const first = follower.advance(baseline, booked('one'), BEGIN, 500);
		const second = follower.advance(first.state, booked('one', 'two'), BEGIN + 1_000, 500);
		const joined = follower.join(first.undo, second.undo);
		const again = follower.advance(joined, booked('one', 'two'), BEGIN + 5 * 60_000, 500);

		expect(again.emit.map(({ record }) => (record as { guid: string }).guid)).toEqual(['one', 'two']);
	});
});
