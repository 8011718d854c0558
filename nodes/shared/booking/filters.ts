import get from 'lodash/get';

import type { StatusRoles } from '../auth/deployment';
import { GUID } from '../values/address';
import { isRecord } from '../values/record';
import { comparable } from '../values/text';
import { type Booking, type BookingState, currentStatus, stateOf } from './states';

/** What a web booking must match; a condition that is not set is not checked. */
export interface BookingFilters {
	/** Any of these statuses; empty: all. */
	statuses?: readonly number[];
	/** Any of these states; empty: all. `statusRoles` decides the state, see `checkStates`. */
	states?: readonly BookingState[];
	statusRoles?: StatusRoles;
	minGuests?: number;
	maxGuests?: number;
	customerId?: number;
	/** A booking's GUID or number, part of the guest's name, or the guest's email or phone. */
	search?: string;
}

/** Whether a web booking, as the service returns it, passes all filters. Texts are compared by {@link comparable}. */
export function matchesFilters(booking: Booking, filters: BookingFilters): boolean {
	const { statuses = [], states = [], statusRoles = {}, customerId, search } = filters;
	const { minGuests = -Infinity, maxGuests = Infinity } = filters;
	if (statuses.length > 0 && !statuses.includes(Number(currentStatus(booking).status)))
		return false;
	if (states.length > 0 && !states.some((state) => state === stateOf(booking, statusRoles)))
		return false;
	const guests = Number(booking.guests ?? 0);
	if (guests < minGuests || guests > maxGuests) return false;
	if (customerId !== undefined && String(get(booking, 'customer.id')) !== String(customerId))
		return false;
	return search === undefined || isFound(booking, search);
}

function isFound(booking: Booking, search: string): boolean {
	const wanted = plain(search);
	if (GUID.test(wanted)) return plain(booking.guid) === wanted;
	const { fname, lname, email, mobile, phone } = isRecord(booking.contact) ? booking.contact : {};
	const digits = lastDigits(search);
	const isPhone = digits.length >= LEAST_DIGITS;
	return (
		[booking.globalBookingNumber, email].some((text) => plain(text) === wanted) ||
		plain(`${plain(fname)} ${plain(lname)}`).includes(wanted) ||
		(isPhone && [mobile, phone].some((number) => lastDigits(number).endsWith(digits)))
	);
}

function plain(value: unknown): string {
	return comparable(String(value ?? ''));
}

/** Numbers are compared by their last digits, as one may have a country code and the other a 0 in its place. */
const [LEAST_DIGITS, MOST_DIGITS] = [6, 7];

function lastDigits(number: unknown): string {
	return plain(number).replace(/\D/g, '').slice(-MOST_DIGITS);
}
