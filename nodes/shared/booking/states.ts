import partition from 'lodash/partition';
import sortBy from 'lodash/sortBy';

import { ROLE_FIELDS } from '../../../credentials/fields';
import type { StatusRoles } from '../auth/deployment';
import { InvalidValueError } from '../values/invalidValue';
import { isBlank } from '../values/blank';
import { isRecord } from '../values/record';
import { comparable } from '../values/text';

/** A web booking as the service returns it. */
export type Booking = Readonly<Record<string, unknown>>;

/**
 * The statuses that a booking has had, oldest first; those without a date come before all others. The API does not specify
 * the order of the list: the entry made with the booking shows it. Dates alone do not, as local times go back when daylight
 * saving ends. If both ends have the same time, the list is in order if it ends with the booking's current status. A list that
 * only ends with it once it is sorted by date is in no order.
 *
 * @returns entries `{changeDate, status, statusName}` as the service returns them; none without a history
 * @see contract/openapi.yaml WebBooking
 */
export function historyOf(booking: Booking): Booking[] {
	const entries = Array.isArray(booking.history) ? booking.history.filter(isRecord) : [];
	const [undated, dated] = partition(entries, (entry) => Number.isNaN(timeOf(entry)));
	return dated.length > 0 ? [...undated, ...inOrder(dated, booking)] : inOrder(undated, booking);
}

function inOrder(list: Booking[], booking: Booking): Booking[] {
	if (list.length < 2) return list;
	const [first, last] = [list[0], list.at(-1)];
	const isNewestFirst =
		first?.changeDate === last?.changeDate
			? first?.status === booking.status && last?.status !== booking.status
			: first?.changeDate !== booking.createdDate &&
				(last?.changeDate === booking.createdDate || timeOf(first) > timeOf(last));
	const [begin, ...rest] = isNewestFirst ? list.reverse() : list;
	const isCurrent = (entry: Booking | undefined) => entry?.status === booking.status;
	const byTime = sortBy(rest, timeOf, isCurrent);
	const isShuffled = !isCurrent(rest.at(-1)) && isCurrent(byTime.at(-1));
	return begin ? [begin, ...(isShuffled ? byTime : rest)] : [];
}

/** @returns milliseconds, comparable only within the list; NaN without a time */
function timeOf(entry: Booking | undefined): number {
	const text = String(entry?.changeDate);
	return Date.parse(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
}

/** The values of the second field named `status`. The API does not specify which of the two a response carries. */
const OF_EITHER_FIELD = [0, 1, 2];

/**
 * @returns the current status: the booking's own if it can be no other field, else that of the newest entry of `history`. With
 * its name; null if `history`, which alone holds names, does not have it.
 */
export function currentStatus(booking: Booking): { status: unknown; name: string | null } {
	const history = historyOf(booking);
	const ofBooking = isBlank(booking.status) ? Number.NaN : Number(booking.status);
	const isOther = Number.isNaN(ofBooking) || OF_EITHER_FIELD.includes(ofBooking);
	const status = isOther ? (history.at(-1)?.status ?? booking.status) : ofBooking;
	const name = history.findLast((entry) => entry.status === status)?.statusName;
	return { status, name: typeof name === 'string' && name !== '' ? name : null };
}

/** @returns the status of {@link currentStatus} */
export function statusOf(booking: Booking): unknown {
	return currentStatus(booking).status;
}

/** @returns the name of {@link currentStatus} */
export function statusNameOf(booking: Booking): string | null {
	return currentStatus(booking).name;
}

/** What a booking's status means, according to the credential: guests are expected, canceled, no-show or finished. */
export type BookingState = 'expected' | keyof StatusRoles;

/** In the order of the list on the form. */
export const BOOKING_STATES = [
	{ name: 'Expected', value: 'expected' },
	{ name: 'Canceled', value: 'canceled' },
	{ name: 'No-Show', value: 'noShow' },
	{ name: 'Finished', value: 'finished' },
] as const satisfies ReadonlyArray<{ name: string; value: BookingState }>;

/** The three states that the credential defines; any other booking is expected. */
const ROLES = ['canceled', 'noShow', 'finished'] as const;

/**
 * @param roles of the account
 * @returns null where the credential does not say enough
 */
export function stateOf(booking: Booking, roles: StatusRoles): BookingState | null {
	const statuses = Object.values(currentStatus(booking)).map((status) => comparable(String(status ?? '')));
	const role = ROLES.find((one) => statuses.some((status) => roles[one]?.has(status)));
	return role ?? (missingRoles('expected', roles).length === 0 ? 'expected' : null);
}

function missingRoles(state: BookingState, roles: StatusRoles): string[] {
	const needed = state === 'expected' ? ROLES : [state];
	return needed.filter((role) => roles[role] === undefined).map((role) => ROLE_FIELDS[role].displayName);
}

/** @throws InvalidValueError naming the credential's fields to fill in, if they do not define a state */
export function checkStates(states: readonly BookingState[] | undefined, roles: StatusRoles): void {
	const missing = new Set(states?.flatMap((state) => missingRoles(state, roles)));
	if (missing.size === 0) return;
	const fields = [...missing].map((name) => `'${name}'`).join(', ');
	throw new InvalidValueError(
		'State',
		'cannot be determined: the credential does not say what the statuses mean',
		`Fill in ${fields} in the credential, or enter the word none if your service has no such status`,
	);
}
