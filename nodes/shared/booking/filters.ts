import get from 'lodash/get';

import type { StatusRoles } from '../auth/deployment';
import { asText } from '../values/asText';
import { toNumber } from '../values/number';
import { comparable } from '../values/text';
import { type PeopleSearch, guestOf } from './peopleSearch';
import { type Booking, type BookingState, currentStatus, stateOf } from './states';

/** What a web booking must match; a condition that is not set is not checked. */
export interface BookingFilters {
	/** Any of these statuses, by number or name; empty: all. */
	statuses?: ReadonlyArray<number | string>;
	/** Any of these states; empty: all. `statusRoles` decides the state, see `checkStates`. */
	states?: readonly BookingState[];
	statusRoles?: StatusRoles;
	minGuests?: number;
	maxGuests?: number;
	customerId?: unknown;
	search?: PeopleSearch;
}

/** Whether a web booking, as the service returns it, passes all filters. */
export function matchesFilters(booking: Booking, filters: BookingFilters): boolean {
	if (!hasStatus(booking, filters)) return false;
	if (!hasState(booking, filters)) return false;
	if (!hasGuests(booking, filters)) return false;
	if (!isOfCustomer(booking, filters)) return false;
	return filters.search?.finds(guestOf(booking)) ?? true;
}

function hasStatus(booking: Booking, { statuses = [] }: BookingFilters) {
	if (statuses.length === 0) return true;
	const { status, name } = currentStatus(booking);
	return statuses.some((wanted) => {
		if (typeof wanted === 'number') return wanted === toNumber(status);
		return name !== null && comparable(wanted) === comparable(name);
	});
}

function hasState(booking: Booking, { states = [], statusRoles = {} }: BookingFilters) {
	if (states.length === 0) return true;
	const state = stateOf(booking, statusRoles);
	return state !== null && states.includes(state);
}

function hasGuests(booking: Booking, filters: BookingFilters) {
	const guests = toNumber(booking.guests) || 0;
	const fewest = filters.minGuests ?? -Infinity;
	const most = filters.maxGuests ?? Infinity;
	return guests >= fewest && guests <= most;
}

function isOfCustomer(booking: Booking, { customerId }: BookingFilters) {
	if (customerId === undefined) return true;
	const id: unknown = get(booking, 'customer.id');
	return asText(id) === asText(customerId);
}
