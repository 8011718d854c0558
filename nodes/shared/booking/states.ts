import partition from 'lodash/partition';

import type { StatusRoles } from '../auth/deployment';
import { InvalidValueError } from '../values/invalidValue';
import { isBlank } from '../values/blank';
import { isRecord } from '../values/record';
import { comparable } from '../values/text';

/** A web booking as the service returns it. */
export type Booking = Readonly<Record<string, unknown>>;

/**
 * The statuses that a booking has had, oldest first; those without a date come before all others. The API does not specify
 * the order of the list: the entry made with the booking shows it, else the dates of both ends. Dates alone do not, as local
 * times go back when daylight saving ends.
 *
 * @returns entries `{changeDate, status, statusName}` as the service returns them; none without a history
 * @see contract/openapi.yaml WebBooking
 */
export function historyOf({ history, createdDate }: Booking): Booking[] {
	const entries: Booking[] = Array.isArray(history) ? history.filter(isRecord) : [];
	if (entries.length < 2) return entries;
	const [undated, dated] = partition(entries, ({ changeDate }) => Number.isNaN(timeOf(changeDate)));
	if (isNewestFirst(dated[0]?.changeDate, dated.at(-1)?.changeDate, createdDate)) dated.reverse();
	return [...undated, ...dated];
}

/** @param first the date of the first entry of a history */
function isNewestFirst(first: unknown, last: unknown, createdDate: unknown): boolean {
	if (first === createdDate) return false;
	return last === createdDate || timeOf(first) > timeOf(last);
}

/** @returns milliseconds, comparable only within the list; NaN without a time */
function timeOf(changeDate: unknown): number {
	const text = String(changeDate);
	const hasOffset = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
	return Date.parse(hasOffset ? text : `${text}Z`);
}

/** The values of the second field named `status`. The API does not specify which of the two a response carries. */
const OF_EITHER_FIELD = [0, 1, 2];

/**
 * @returns the current status: the booking's own if it can be no other field, else that of the newest entry of `history`. With
 * its name; null if `history`, which alone holds names, does not have it.
 */
export function currentStatus(booking: Booking): { status: unknown; name: string | null } {
	const history = historyOf(booking);
	const own = isBlank(booking.status) ? Number.NaN : Number(booking.status);
	const mayBeOther = Number.isNaN(own) || OF_EITHER_FIELD.includes(own);
	const status = mayBeOther ? (history.at(-1)?.status ?? booking.status) : own;
	const name = history.findLast((entry) => entry.status === status)?.statusName;
	return { status, name: typeof name === 'string' && name !== '' ? name : null };
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
	const { status, name } = currentStatus(booking);
	const words = [status, name].map((word) => comparable(String(word ?? '')));
	for (const role of ROLES) if (words.some((word) => roles[role]?.has(word))) return role;
	return isDefined('expected', roles) ? 'expected' : null;
}

function isDefined(state: BookingState, roles: StatusRoles): boolean {
	if (state !== 'expected') return roles[state] !== undefined;
	return ROLES.every((role) => roles[role] !== undefined);
}

/** @throws InvalidValueError if the credential does not define a state */
export function checkStates(states: readonly BookingState[] | undefined, roles: StatusRoles): void {
	if (!states || states.every((state) => isDefined(state, roles))) return;
	throw new InvalidValueError(
		'State',
		'cannot be determined: the credential does not say what the statuses mean',
		"Fill in 'Canceled Statuses', 'No-Show Statuses' and 'Finished Statuses' in the credential, with the word none where your service has no such status",
	);
}
