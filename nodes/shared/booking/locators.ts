import type { INodeProperties } from 'n8n-workflow';

import type { ValueKind } from '../values/address';

/** A placeholder of the path and the parameter that fills it. */
export interface PathField {
	placeholder: string;
	kind: ValueKind;
	/** A plain parameter or a resource locator. */
	property: INodeProperties;
}

interface Locator {
	displayName: string;
	name: string;
	description: string;
	/** Method of `listSearch` that fills the list. */
	search: string;
	idExample: string;
	required?: true;
}

/** A record chosen from a list or by its ID. */
function locator({ displayName, name, description, search, idExample, required }: Locator): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		...(required ? { required } : {}),
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

const webBooking: Locator = {
	displayName: 'Web Booking',
	name: 'webBookingId',
	description: 'The web booking, from a list of recent and coming ones or by its GUID',
	search: 'searchWebBookings',
	idExample: GUID_EXAMPLE,
};

/** The path's `{id}` of a web booking. */
export const webBookingInPath: PathField = {
	placeholder: 'id',
	kind: 'guid',
	property: locator({ ...webBooking, required: true }),
};

/** A record of the path by its ID, where the service has no list of them. */
export function idInPath(
	placeholder: string,
	kind: PathField['kind'],
	look: Pick<INodeProperties, 'displayName' | 'name' | 'placeholder' | 'description'>,
): PathField {
	return { placeholder, kind, property: { ...look, type: 'string', default: '', required: true } };
}

/** A web booking by its GUID, where the documents do not call for one. */
export const webBookingLocator = locator(webBooking);

/** A customer by its ID. */
export const customerLocator = locator({
	displayName: 'Customer',
	name: 'customerId',
	description: 'The customer (company), from the list of customers or by its ID',
	search: 'searchCustomers',
	idExample: '1042',
});

const survey: Locator = {
	displayName: 'Survey',
	name: 'surveyId',
	description: 'The survey, from a list of those that were sent to someone or by its ID',
	search: 'searchSurveys',
	idExample: GUID_EXAMPLE,
};

/** A survey by its ID. */
export const surveyLocator = locator(survey);

/** The path's `{id}` of a survey. */
export const surveyInPath: PathField = {
	placeholder: 'id',
	kind: 'guid',
	property: locator({ ...survey, required: true }),
};

/** The path's `{id}` of a survey recipient. */
export const surveyRecipientInPath: PathField = {
	placeholder: 'id',
	kind: 'guid',
	property: locator({
		displayName: 'Survey Recipient',
		name: 'surveyRecipientId',
		description: 'The recipient, from the list of recipients or by its ID',
		search: 'searchSurveyRecipients',
		idExample: GUID_EXAMPLE,
		required: true,
	}),
};
