import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';

import type { StatusRoles } from '../auth/deployment';
import { GUID } from '../values/address';
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
	/** A booking's GUID or number, part of the guest's name, or the guest's email or phone. */
	search?: string;
}

/** Whether a web booking, as the service returns it, passes all filters. Texts are compared by {@link comparable}. */
export function matchesFilters(booking: Booking, filters: BookingFilters): boolean {
	const { unitIds = [], statuses = [], leaveOutStatuses = [], states = [], statusRoles = {} } = filters;
	const { minGuests, maxGuests, customerId, search } = filters;
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
	return search === undefined || isFound(booking, search);
}

function isFound(booking: Booking, search: string): boolean {
	const contact = (isRecord(booking.contact) ? booking.contact : {}) as IDataObject;
	const wanted = plain(search);
	if (GUID.test(wanted)) return plain(booking.guid) === wanted;
	const numbers = [contact.mobile, contact.phone].map((number) => String(number ?? ''));
	return (
		[booking.globalBookingNumber, contact.email].some((text) => plain(text) === wanted) ||
		plain(wordsAt(contact, 'fname', 'lname')).includes(wanted) ||
		numbers.some((number) => isSamePhone(number, search))
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

/** Shorter numbers are not compared by their last digits. */
const LEAST_DIGITS = 6;

/**
 * Whether two numbers are equal apart from punctuation, the country code, and the leading 0 that replaces or follows it,
 * as in `+46 (0)70 123 45 67`.
 */
function isSamePhone(one: string, other: string): boolean {
	const [longer = '', shorter = ''] = [one, other]
		.map((number) => comparable(number).replace(/\(0\)/g, '').replace(/\D/g, '').replace(/^0+/, ''))
		.sort((first, second) => second.length - first.length);
	return longer === shorter ? longer !== '' : shorter.length >= LEAST_DIGITS && longer.endsWith(shorter);
}
