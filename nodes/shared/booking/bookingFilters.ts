import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';

import type { StatusRoles } from '../auth/deployment';
import { isRecord } from '../values/record';
import { comparable } from '../values/text';
import { wordsAt } from './recordShape';
import { type Booking, type BookingState, stateOf, statusOf } from './states';

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
	bookingNumber?: string;
	/** Part of the first and last name. */
	guestName?: string;
	guestEmail?: string;
	guestPhone?: string;
	/** A booking number, or a guest's name, email or phone, matched like the four filters above. */
	search?: string;
}

/** Whether a web booking, as the service returns it, passes all filters. Texts are compared by {@link comparable}. */
export function matchesFilters(booking: Booking, filters: BookingFilters): boolean {
	const { unitIds = [], statuses = [], leaveOutStatuses = [], states = [], statusRoles = {} } = filters;
	const { minGuests, maxGuests, customerId, bookingNumber } = filters;
	if (unitIds.length > 0 && !unitsOf(booking).some((id) => unitIds.includes(Number(id)))) return false;
	const status = statuses.length + leaveOutStatuses.length > 0 ? Number(statusOf(booking)) : undefined;
	if (statuses.length > 0 && !statuses.includes(status as number)) return false;
	if (leaveOutStatuses.includes(status as number)) return false;
	const state = states.length > 0 ? stateOf(booking, statusRoles) : null;
	if (states.length > 0 && (state === null || !states.includes(state))) return false;
	const guests = Number(booking.guests ?? 0);
	if (minGuests !== undefined && guests < minGuests) return false;
	if (maxGuests !== undefined && guests > maxGuests) return false;
	if (customerId !== undefined && String(get(booking, 'customer.id')) !== String(customerId)) return false;
	if (bookingNumber !== undefined && plain(booking.globalBookingNumber) !== plain(bookingNumber))
		return false;
	return hasGuest(booking, filters) && isFound(booking, filters);
}

function isFound(booking: Booking, { search }: BookingFilters): boolean {
	if (search === undefined) return true;
	const ways = [
		{ bookingNumber: search },
		{ guestName: search },
		{ guestEmail: search },
		{ guestPhone: search },
	];
	return ways.some((one) => matchesFilters(booking, one));
}

function unitsOf(booking: Booking): unknown[] {
	const articles = [booking.articles, booking.nonTableArticles].flatMap((list) =>
		Array.isArray(list) ? list : [],
	);
	return [booking.unitId, ...articles.filter(isRecord).map(({ unitId }) => unitId)];
}

function hasGuest(booking: Booking, { guestName, guestEmail, guestPhone }: BookingFilters): boolean {
	const contact = (isRecord(booking.contact) ? booking.contact : {}) as IDataObject;
	if (guestName !== undefined && !plain(wordsAt(contact, 'fname', 'lname')).includes(plain(guestName)))
		return false;
	if (guestEmail !== undefined && plain(contact.email) !== plain(guestEmail)) return false;
	return (
		guestPhone === undefined ||
		[contact.mobile, contact.phone].some((number) => isSamePhone(String(number ?? ''), guestPhone))
	);
}

function plain(value: unknown): string {
	return comparable(String(value ?? ''));
}

/** Shorter numbers are not compared by their last digits. */
const LEAST_DIGITS = 6;

/**
 * Whether two numbers are equal apart from punctuation, the country code, and the leading 0 that replaces or follows it,
 * as in `+46 (0)70 123 45 67`.
 */
function isSamePhone(one: string, other: string): boolean {
	const [longer = '', shorter = ''] = [one, other]
		.map((number) => number.normalize('NFKC').replace(/\(0\)/g, '').replace(/\D/g, '').replace(/^0+/, ''))
		.sort((first, second) => second.length - first.length);
	return longer === shorter ? longer !== '' : shorter.length >= LEAST_DIGITS && longer.endsWith(shorter);
}
