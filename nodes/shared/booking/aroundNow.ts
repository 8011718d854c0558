import { writeTime } from '../values/writeTime';
import { DAY, SECOND } from '../values/timestamp';
import { type Period, readSlices } from './slices';

const DAYS_BACK = 31;
const DAYS_AHEAD = 365;
/** A number that is found is looked for in the rest of these days, and no further: it may be that of two bookings. */
const DAYS_AT_ONCE = 31;

/** How far a booking is looked for by its number or its guest, in the words of messages. */
export const SEARCHED_PERIOD = `from ${DAYS_BACK} days ago to a year ahead`;

/** @returns the periods in which a booking is looked for: the next days first, then the last ones, then the year ahead */
export function periodsAroundNow(): Period[] {
	const now = Date.now();
	const end = now + DAYS_AHEAD * DAY;
	const periods: Period[] = [];
	const past = { from: now - DAYS_BACK * DAY, to: now };
	for (let from = now; from < end; from += DAYS_AT_ONCE * DAY) {
		const to = Math.min(from + DAYS_AT_ONCE * DAY, end);
		periods.push({ from, to });
		if (from === now) periods.push(past);
	}
	return periods;
}

/** A period in the words of the service's query. */
export interface QueryPeriod {
	startTime: string;
	endTime: string;
}

/**
 * Reads the bookings of a period whole, in halves where a response is too large.
 *
 * @param timeZone of the credential
 * @param list the call for a period
 * @returns what it returned; a booking that reaches over a bound may be there twice
 */
export async function readWholePeriod(
	period: Period,
	timeZone: string,
	list: (asked: QueryPeriod) => Promise<unknown[]>,
): Promise<unknown[]> {
	const bookings: unknown[] = [];
	await readSlices(period, async (slice) => {
		const asked = toQueryPeriod(slice, timeZone);
		for (const booking of await list(asked)) bookings.push(booking);
		return 'goOn';
	});
	return bookings;
}

/** The service lists what ends after the first time: a booking that starts and ends on a shared bound needs the second before. */
export function toQueryPeriod({ from, to }: Period, timeZone: string): QueryPeriod {
	return {
		startTime: writeTime(from - SECOND, timeZone),
		endTime: writeTime(to, timeZone),
	};
}
