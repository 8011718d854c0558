import type { INodeProperties } from 'n8n-workflow';
import camelCase from 'lodash/camelCase';
import upperFirst from 'lodash/upperFirst';

import { BOOKING_STATES } from './states';

const GUID_EXAMPLE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

export const webBookingLocator = locator(
	'Web Booking',
	'The web booking, from a list or by its GUID',
);
export const customerLocator = locator(
	'Customer',
	'The customer (company), from a list or by its ID',
	'1042',
);
export const surveyRecipientLocator = locator(
	'Survey Recipient',
	'The recipient, from a list or by its ID',
);

/** A record chosen by ID, or from a list that the node's `listSearch` fills. */
function locator(
	displayName: string,
	description: string,
	idExample = GUID_EXAMPLE,
): INodeProperties {
	const what = camelCase(displayName);
	return {
		displayName,
		name: `${what}Id`,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}…`,
				typeOptions: {
					searchListMethod: `search${upperFirst(what)}s`,
					searchable: true,
					slowLoadNotice: {
						message: "If loading takes long, choose 'By ID' instead",
						timeout: 5000,
					},
				},
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${idExample}` },
		],
	};
}

function ofGuests(displayName: string, path: string, initial: number, bound: string) {
	const description = `Only bookings with ${bound} this many guests; the API does not specify whether children count`;
	const typeOptions = { minValue: 0 };
	return { displayName, path, as: 'integer', default: initial, typeOptions, description } as const;
}

/** Filters of web bookings that 'Get Many' and the trigger share: form fields by parameter name. */
export const bookingFilterFields = {
	customerId: { displayName: 'Customer', path: 'customerId', locator: customerLocator },
	maxGuests: ofGuests('Max Guests', 'maxGuests', 10, 'at most'),
	minGuests: ofGuests('Min Guests', 'minGuests', 1, 'at least'),
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
		as: 'integers',
		loads: 'getBookingStatuses',
		description:
			'Only bookings that have one of these statuses now. Choose from the list, or enter IDs using an expression.',
	},
	unitIds: {
		displayName: 'Unit IDs',
		path: 'unitIds',
		as: 'integers',
		placeholder: 'e.g. 12, 15',
		description: 'Only bookings of these units',
	},
} as const;
