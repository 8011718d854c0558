import type { INodeProperties } from 'n8n-workflow';

import type { PathField } from './operation';

interface Locator {
	displayName: string;
	name: string;
	description: string;
	/** Method of `listSearch` that fills the list. */
	search: string;
	idExample: string;
	required?: boolean;
}

/** A record chosen from a list or by its ID. */
export function locator({
	displayName,
	name,
	description,
	search,
	idExample,
	required = true,
}: Locator): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required,
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}…`,
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${idExample}` },
		],
	};
}

const GUID_EXAMPLE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** A web booking by its GUID. */
export const webBookingLocator = locator({
	displayName: 'Web Booking',
	name: 'webBookingId',
	description: 'The web booking, from a list of recent and coming ones or by its GUID',
	search: 'searchWebBookings',
	idExample: GUID_EXAMPLE,
});

/** The path's `{id}` of a web booking. */
export const webBookingInPath: PathField = { placeholder: 'id', kind: 'guid', property: webBookingLocator };
