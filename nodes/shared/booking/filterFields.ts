import { customerLocator } from './locators';
import { BOOKING_STATES } from './states';

function numberOfGuests(displayName: string, path: string, example: number, bound: string) {
	return {
		displayName,
		path,
		as: 'integer',
		default: example,
		typeOptions: { minValue: 0 },
		description: `Only bookings with ${bound} this many guests`,
	} as const;
}

/** Filters of web bookings that 'Get Many' and the trigger share: form fields by parameter name. */
export const bookingFilterFields = {
	customerId: {
		displayName: 'Customer',
		path: 'customerId',
		locator: customerLocator,
	},
	maxGuests: numberOfGuests('Max Guests', 'maxGuests', 10, 'at most'),
	minGuests: numberOfGuests('Min Guests', 'minGuests', 1, 'at least'),
	states: {
		displayName: 'State',
		path: 'states',
		anyOf: BOOKING_STATES,
		description:
			'Only bookings in one of these states now; the credential says which statuses are canceled, no-show and finished',
	},
	statuses: {
		displayName: 'Status Names or IDs',
		path: 'statuses',
		as: 'namesOrIds',
		typeOptions: { loadOptionsMethod: 'getBookingStatuses' },
		description:
			'Only bookings that have one of these statuses now. Choose from the list, or enter names or IDs using an expression.',
	},
	unitIds: {
		displayName: 'Unit IDs',
		path: 'unitIds',
		as: 'ids',
		placeholder: 'e.g. 12, 15',
		description: 'Only bookings of these units',
	},
} as const;
