import type { INodeProperties } from 'n8n-workflow';

import { statusNameOf } from '../history';
import { type OutputShape, valueAt, wordsAt } from '../recordShape';

/**
 * Web bookings as items.
 *
 * @see contract/openapi.yaml WebBooking
 */
export const webBookings: OutputShape = {
	kind: 'list',
	schema: 'WebBooking',
	simplified: {
		bookingNumber: 'globalBookingNumber',
		start: 'start',
		end: 'end',
		guests: 'guests',
		guestName: (booking) => wordsAt(booking, 'contact.fname', 'contact.lname'),
		statusName: statusNameOf,
		message: 'message',
		phone: (booking) => valueAt(booking, 'contact.mobile') || valueAt(booking, 'contact.phone'),
		email: 'contact.email',
		guid: 'guid',
	},
};

/** One web booking as an item. */
export const webBooking: OutputShape = { ...webBookings, kind: 'record' };

/**
 * The payment data of a web booking.
 *
 * @see contract/openapi.yaml WebBookingPayment
 */
export const webBookingPayment: OutputShape = { kind: 'record', schema: 'WebBookingPayment' };

const includes = [
	{ name: 'Customer', value: 'includeCustomer' },
	{ name: 'Guest (Contact)', value: 'includeContact' },
	{ name: 'Internal Contact', value: 'includeInternalContact' },
	{ name: 'Markings', value: 'includeMarkings' },
	{ name: 'Other Articles', value: 'includeNonTableArticles' },
	{ name: 'Payment Method', value: 'includePayMethod' },
	{ name: 'Table Articles', value: 'includeTableArticles' },
];

export const includeNames = includes.map(({ value }) => value);

/**
 * Related data that the service leaves out unless asked.
 *
 * @see contract/openapi.yaml webBooking.getAll
 */
export const includeProperty: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	type: 'multiOptions',
	options: includes,
	default: ['includeContact'],
	description: 'Related data to return with each booking. Less is faster.',
};
