import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';
import { customerLocator } from './locators';

/** Filters of web bookings that 'Get Many' and the trigger both have, as fields of a form by the name of their parameter. */
export const bookingFilterFields = {
	customerId: { displayName: 'Customer', at: 'customerId', locator: customerLocator },
	leaveOutStatuses: {
		displayName: 'Exclude Status Names or IDs',
		at: 'leaveOutStatuses',
		as: 'integers',
		loads: 'getBookingStatuses',
		description: 'Leave out bookings that have one of these statuses, e.g. canceled ones',
	},
	maxGuests: {
		displayName: 'Max Guests',
		at: 'maxGuests',
		as: 'integer',
		default: 10,
		typeOptions: { minValue: 0 },
		description: 'Only bookings with at most this many guests',
	},
	minGuests: {
		displayName: 'Min Guests',
		at: 'minGuests',
		as: 'integer',
		default: 1,
		typeOptions: { minValue: 0 },
		description: 'Only bookings with at least this many guests',
	},
	statuses: {
		displayName: 'Status Names or IDs',
		at: 'statuses',
		as: 'integers',
		loads: 'getBookingStatuses',
		description: 'Only bookings that have one of these statuses now',
	},
} as const;

/** Name of the unit filter: the documents do not show it. */
export const unitFilterNameOption: INodeProperties = {
	displayName: 'Unit Filter Name',
	name: 'unitIdsName',
	type: 'string',
	default: 'unitIds',
	description: 'Name of the query parameter for units, if your deployment uses another one',
};

/** @throws InvalidValueError when the option is not the name of a query parameter */
export function filterName(
	options: IDataObject,
	{ name, displayName, default: standard }: INodeProperties,
): string {
	const value = options[name] ?? standard;
	if (typeof value === 'string' && /^[\w.[\]-]+$/.test(value)) return value;
	throw new InvalidValueError(
		displayName,
		'is not a valid name',
		`Enter the name of a query parameter, e.g. ${String(standard)}`,
	);
}
