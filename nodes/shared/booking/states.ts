import partition from 'lodash/partition';

import type { StatusRoles } from '../auth/deployment';
import { asText } from '../values/asText';
import { InvalidValueError } from '../values/invalidValue';
import { isBlank } from '../values/blank';
import { toNumber } from '../values/number';
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
export function historyOf(booking: Booking): Booking[] {
	const { history } = booking;
	if (!Array.isArray(history)) return [];
	const entries: Booking[] = history.filter(isRecord);
	if (entries.length < 2) return entries;
	const hasNoTime = (entry: Booking) => Number.isNaN(timeOf(entry));
	const [undated, dated] = partition(entries, hasNoTime);
	if (isNewestFirst(dated, booking.createdDate)) dated.reverse();
	return undated.concat(dated);
}

function isNewestFirst(entries: readonly Booking[], createdDate: unknown) {
	const first = entries[0];
	const last = entries.at(-1);
	if (!first || !last) return false;
	if (first.changeDate === createdDate) return false;
	if (last.changeDate === createdDate) return true;
	return timeOf(first) > timeOf(last);
}

/** @returns milliseconds, comparable only within the history; NaN without a time */
function timeOf(entry: Booking) {
	const text = asText(entry.changeDate);
	const hasOffset = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
	if (hasOffset) return Date.parse(text);
	return Date.parse(`${text}Z`);
}

/** The values of the second field named `status`. The API does not specify which of the two a response carries. */
const OF_EITHER_FIELD = [0, 1, 2];

interface CurrentStatus {
	status: unknown;
	/** Null if the history, which alone holds names, does not have it. */
	name: string | null;
}

/** @returns the booking's own status if it can be no other field, else that of the newest entry of `history` */
export function currentStatus(booking: Booking): CurrentStatus {
	const history = historyOf(booking);
	const newest = history.at(-1);
	const status = certainStatus(booking) ?? newest?.status ?? booking.status;
	const named = history.findLast((entry) => entry.status === status);
	const name = named?.statusName;
	if (typeof name === 'string' && name !== '') return { status, name };
	return { status, name: null };
}

/** @returns undefined where the field may be the other one of its name */
function certainStatus(booking: Booking) {
	if (isBlank(booking.status)) return undefined;
	const status = toNumber(booking.status);
	if (Number.isNaN(status) || OF_EITHER_FIELD.includes(status)) return undefined;
	return status;
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

/**
 * The roles without which nobody knows whether a booking is expected. One that is added to the credential later is not among
 * them: stored credentials lack it.
 */
const NEEDED_FOR_EXPECTED = ['canceled', 'noShow', 'finished'] as const;

/**
 * @param roles of the account
 * @returns null where the credential does not say enough
 */
export function stateOf(booking: Booking, roles: StatusRoles): BookingState | null {
	const { status, name } = currentStatus(booking);
	const number = comparable(asText(status ?? ''));
	const word = comparable(name ?? '');
	const defined = Object.keys(roles) as Array<keyof StatusRoles>;
	for (const role of defined) {
		const statuses = roles[role];
		if (statuses?.has(number)) return role;
		if (statuses?.has(word)) return role;
	}
	if (isDefined('expected', roles)) return 'expected';
	return null;
}

function isDefined(state: BookingState, roles: StatusRoles) {
	if (state !== 'expected') return roles[state] !== undefined;
	return NEEDED_FOR_EXPECTED.every((role) => roles[role] !== undefined);
}

/** @throws InvalidValueError if the credential does not define a state */
export function checkStates(states: readonly BookingState[] = [], roles: StatusRoles) {
	const areDefined = states.every((state) => isDefined(state, roles));
	if (areDefined) return;
	throw new InvalidValueError(
		'State',
		'cannot be determined: the credential does not say what the statuses mean',
		"Fill in 'Canceled Statuses', 'No-Show Statuses' and 'Finished Statuses' in the credential, with the word none where your service has no such status",
	);
}
