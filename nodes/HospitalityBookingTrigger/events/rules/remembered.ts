import type { Period } from '../../../shared/booking/slices';
import { DAY, readTimestamp } from '../../../shared/values/timestamp';
import type { Facts } from '../rule';

/** How late the service may show a booking that then still counts as new. */
export const SHOWN_LATE_MS = 6 * DAY;
/** A booking that is over is remembered for so many days. */
export const DAYS_REMEMBERED = 30;
/** Later bookings are remembered once they change. */
const DAYS_AHEAD = 730;

/** @returns the period of the bookings that are not over, or not for long */
export function currentBookings(now: number): Period {
	return { from: now - DAYS_REMEMBERED * DAY, to: now + DAYS_AHEAD * DAY };
}

/** @returns the day until which a booking is remembered that may still differ */
export function untilOver({ record, created, changed }: Facts): number {
	const end = readTimestamp(record.end ?? record.start, 'UTC') ?? changed;
	const over = dayOf(end?.ms ?? 0) + DAYS_REMEMBERED;
	const notNew = untilNotNew(created) ?? 0;
	return Math.max(over, notNew);
}

/** @returns the day until which a booking can still count as new */
export function untilNotNew(created: Facts['created']): number | undefined {
	if (!created) return undefined;
	return dayOf(created.ms + SHOWN_LATE_MS + DAY);
}

/** @returns days since 1970 */
export function dayOf(ms: number): number {
	return Math.floor(ms / DAY);
}
