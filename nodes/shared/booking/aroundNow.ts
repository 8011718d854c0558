import { writeTime } from '../values/notation';
import { DAY, SECOND } from '../values/timestamp';
import { DAYS_PER_CALL, type Period, readSlices } from './slices';

const DAYS_BACK = 31;
const DAYS_AHEAD = 365;

/** How far a booking is looked for by its number or its guest, in the words of messages. */
export const SEARCHED_PERIOD = `from ${DAYS_BACK} days ago to a year ahead`;

/** @returns the periods in which a booking is looked for: the next days first, then the last ones, then the year ahead */
export function periodsAroundNow(): Period[] {
	const now = Date.now();
	const at = (days: number): number => now + days * DAY;
	const periods = [
		{ from: now, to: at(DAYS_PER_CALL) },
		{ from: at(-DAYS_BACK), to: now },
	];
	for (let days = DAYS_PER_CALL; days < DAYS_AHEAD; days += DAYS_PER_CALL) {
		const end = Math.min(days + DAYS_PER_CALL, DAYS_AHEAD);
		periods.push({ from: at(days), to: at(end) });
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
		for (const booking of await list(toQueryPeriod(slice, timeZone))) bookings.push(booking);
		return 'goOn';
	});
	return bookings;
}

/** The service lists what ends after the first time: a booking that starts and ends on a shared bound needs the second before. */
export function toQueryPeriod({ from, to }: Period, timeZone: string): QueryPeriod {
	return { startTime: writeTime(from - SECOND, timeZone), endTime: writeTime(to, timeZone) };
}
