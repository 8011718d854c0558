import { isTooLarge } from '../errors/nodeErrors';
import { DAY, HOUR, SECOND, isoOf } from '../values/timestamp';

/** Most days of bookings that one call asks for. */
export const DAYS_PER_CALL = 31;

/**
 * Reads the bookings of a period in slices, one call after the other, so that no response grows without bound. A slice whose
 * response is too large is halved.
 *
 * Each slice but the first begins one second before the previous one ended. The service returns bookings that end after
 * the first bound and start before the second: one that starts and ends on a shared bound would be in neither slice.
 *
 * @param from ISO 8601 with offset
 * @param ask gets the bookings between two times
 * @returns what was read of each slice, in order, and whether it is the last; a booking may be in several
 */
export async function* readSlices<T>(
	from: string,
	to: string,
	ask: (period: { startTime: string; endTime: string }) => Promise<T>,
): AsyncGenerator<{ slice: T; isLast: boolean }> {
	const [begin, end] = [Date.parse(from), Date.parse(to)];
	let length = DAYS_PER_CALL * DAY;
	for (let next = begin; next < end;) {
		length = Math.min(length, end - next);
		const until = next + length;
		const isLast = until === end;
		const startTime = next === begin ? from : isoOf(next - SECOND);
		const slice = await ask({ startTime, endTime: isLast ? to : isoOf(until) }).catch(
			(error: unknown) => {
				if (!isTooLarge(error) || length < HOUR) throw error;
				return undefined;
			},
		);
		if (slice === undefined) {
			length = Math.ceil(length / 2 / SECOND) * SECOND;
			continue;
		}
		yield { slice, isLast };
		next = until;
	}
}
