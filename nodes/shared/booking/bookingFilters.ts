import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';

import type { StatusRoles } from '../auth/deployment';
import { GUID } from '../values/address';
import { isRecord } from '../values/record';
import { comparable } from '../values/text';
import { wordsAt } from './recordShape';
import { type Booking, type BookingState, currentStatus, stateOf } from './states';

/** What a web booking must match; a condition that is not set is not checked. */
export interface BookingFilters {
	/** Any of these units; empty: all. */
	unitIds?: readonly number[];
	/** Any of these statuses; empty: all. */
	statuses?: readonly number[];
	leaveOutStatuses?: readonly number[];
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
	const { unitIds = [], statuses = [], leaveOutStatuses = [], states = [], statusRoles = {} } = filters;
	const { minGuests, maxGuests, customerId, search } = filters;
	if (unitIds.length > 0 && !unitsOf(booking).some((id) => unitIds.includes(Number(id)))) return false;
	const status =
		statuses.length + leaveOutStatuses.length > 0 ? Number(currentStatus(booking).status) : undefined;
	if (statuses.length > 0 && !statuses.includes(status as number)) return false;
	if (leaveOutStatuses.includes(status as number)) return false;
	const state = states.length > 0 ? stateOf(booking, statusRoles) : null;
	if (states.length > 0 && (state === null || !states.includes(state))) return false;
	const guests = Number(booking.guests ?? 0);
	if (minGuests !== undefined && guests < minGuests) return false;
	if (maxGuests !== undefined && guests > maxGuests) return false;
	if (customerId !== undefined && String(get(booking, 'customer.id')) !== String(customerId)) return false;
	return search === undefined || isFound(booking, search);
}

function isFound(booking: Booking, search: string): boolean {
	const contact = (isRecord(booking.contact) ? booking.contact : {}) as IDataObject;
	const wanted = plain(search);
	if (GUID.test(wanted)) return plain(booking.guid) === wanted;
	const digits = lastDigits(search);
	const isPhone = digits.length >= LEAST_DIGITS;
	return (
		[booking.globalBookingNumber, contact.email].some((text) => plain(text) === wanted) ||
		plain(wordsAt(contact, 'fname', 'lname')).includes(wanted) ||
		(isPhone && [contact.mobile, contact.phone].some((number) => lastDigits(number).endsWith(digits)))
	);
}

function unitsOf(booking: Booking): unknown[] {
	const articles = [booking.articles, booking.nonTableArticles].flatMap((list) =>
		Array.isArray(list) ? list : [],
	);
	return [booking.unitId, ...articles.filter(isRecord).map(({ unitId }) => unitId)];
}

function plain(value: unknown): string {
	return comparable(String(value ?? ''));
}

/** Numbers are compared by their last digits, as one may have a country code and the other a 0 in its place. */
const [LEAST_DIGITS, MOST_DIGITS] = [6, 7];

function lastDigits(number: unknown): string {
	return plain(number).replace(/\D/g, '').slice(-MOST_DIGITS);
}
