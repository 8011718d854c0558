import { isRecord } from '../values/record';

/** A web booking as the service returns it. */
type Booking = Readonly<Record<string, unknown>>;

/**
 * The statuses that a booking has had, oldest first. The documents do not say which way the list runs. The entry made
 * with the booking tells; dates alone do not, because local times go back when daylight saving ends.
 *
 * @returns entries `{changeDate, status, statusName}` as the service returns them; none without a history
 * @see contract/openapi.yaml WebBooking
 */
export function historyOf(booking: Booking): Booking[] {
	const list = Array.isArray(booking.history) ? booking.history.filter(isRecord) : [];
	const [first, last] = [list[0]?.changeDate, list.at(-1)?.changeDate];
	if (first === booking.createdDate || typeof first !== 'string' || typeof last !== 'string') return list;
	return last === booking.createdDate || first > last ? list.reverse() : list;
}

/** @returns the status that a booking has now. The service lists two fields of this name, `history` only one. */
export function statusOf(booking: Booking): unknown {
	const last = historyOf(booking).at(-1);
	return last ? last.status : booking.status;
}

/** @returns the name of the status that a booking has now, null without a history: only it holds names. */
export function statusNameOf(booking: Booking): string | null {
	const name = historyOf(booking).at(-1)?.statusName;
	return typeof name === 'string' && name !== '' ? name : null;
}
