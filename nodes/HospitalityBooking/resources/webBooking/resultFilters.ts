import get from 'lodash/get';

import { collection, field } from '../../../shared/operation/declare';
import type { BookingFilters } from '../../../shared/booking/bookingFilters';
import { bookingFilterFields } from '../../../shared/booking/fields';
import { checkStates } from '../../../shared/booking/states';
import { makeField, toObject } from '../../../shared/operation/fields';

import { readSection } from '../../../shared/operation/request';
import type { ItemContext } from '../../../shared/operation/operation';

const NAME = 'results';

const ORDERS = [
	{ value: 'changedDescending', name: 'Last Change, Newest First', at: 'changeDate', isDescending: true },
	{ value: 'createdDescending', name: 'Creation, Newest First', at: 'createdDate', isDescending: true },
	{ value: 'start', name: 'Start, Earliest First', at: 'start', isDescending: false },
	{ value: 'startDescending', name: 'Start, Latest First', at: 'start', isDescending: true },
];

const fields = [
	...Object.values(bookingFilterFields),
	field('Booking Number', 'bookingNumber', {
		placeholder: 'e.g. B10231',
		description: 'Only the booking with this number',
	}),
	field('Guest Email', 'guestEmail', {
		placeholder: 'e.g. anna.lind@example.com',
		description: 'Only bookings of guests with this email address',
	}),
	field('Guest Name', 'guestName', {
		placeholder: 'e.g. Lind',
		description: 'Only bookings of guests whose first and last name contain this text',
	}),
	field('Guest Phone', 'guestPhone', {
		placeholder: 'e.g. +46 70 123 45 67',
		description:
			'Only bookings of guests with this mobile or phone number, with or without country code, spaces and dashes',
	}),
	field('Search', 'search', {
		placeholder: 'e.g. Lind',
		description:
			'Only bookings with this number, or whose guest has this text in the name, this email address or this phone number',
	}),
	field('Sort By', 'sortBy', {
		oneOf: ORDERS,
		default: 'start',
		description: "Order of the bookings. All of them are fetched before 'Limit' is applied.",
	}),
].map((row) => makeField({ ...row, mustNotBeEmpty: true }));

export const resultFilters = collection('Filter and Sort Results', NAME, fields, {
	placeholder: 'Add Filter or Order',
	description:
		"Applied to the bookings that the service has returned, so a filter makes no call smaller. 'Limit' counts the bookings that are left.",
});

/** What an item does with the bookings of its response. */
interface ResultFilters {
	filters: BookingFilters;
	/** Undefined to keep the order received. */
	compare?: (one: unknown, other: unknown) => number;
}

/** @throws InvalidValueError that names the parameter */
export function readResultFilters({ node, read, timeZone, statusRoles }: ItemContext): ResultFilters {
	if (node.parameters[NAME] === undefined) return { filters: {} };
	const values = readSection(resultFilters, read);
	const { sortBy: order, ...entered } = toObject(fields, values, timeZone);
	const filters: BookingFilters = entered;
	checkStates(filters.states, statusRoles);
	return {
		filters: { ...filters, ...(filters.states ? { statusRoles } : {}) },
		...(order ? { compare: comparing(order) } : {}),
	};
}

/** A booking without the value comes last. */
function comparing(order: unknown): ResultFilters['compare'] {
	const { at = '', isDescending = false } = ORDERS.find(({ value }) => value === order) ?? {};
	const timeOf = (booking: unknown) => {
		const ms = Date.parse(String(get(booking, at)));
		return Number.isNaN(ms) ? Infinity : isDescending ? -ms : ms;
	};
	return (one, other) => {
		const [first, second] = [timeOf(one), timeOf(other)];
		return first === second ? 0 : first - second;
	};
}

/** The related data that the filters need; the service leaves it out unless asked. */
export function includesFor({ filters }: ResultFilters): Record<string, true> {
	const { customerId, guestName, guestEmail, guestPhone, search } = filters;
	const isAboutGuest = [guestName, guestEmail, guestPhone, search].some((value) => value !== undefined);
	return {
		...(customerId === undefined ? {} : { includeCustomer: true }),
		...(isAboutGuest ? { includeContact: true } : {}),
	};
}
