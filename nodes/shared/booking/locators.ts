import type { INodeProperties } from 'n8n-workflow';

const GUID_EXAMPLE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const SLOW_LIST = {
	message: "If loading takes long, choose 'By ID' instead",
	timeout: 5000,
};

/** A web booking by its GUID. */
export const webBookingLocator = locator(
	'Web Booking',
	'webBookingId',
	'The web booking, from a list of recent and coming ones or by its GUID',
	'searchWebBookings',
);

/** A customer by its ID. */
export const customerLocator = locator(
	'Customer',
	'customerId',
	'The customer (company), from the list of customers or by its ID',
	'searchCustomers',
	'1042',
);

/** A survey by its ID. */
export const surveyLocator = locator(
	'Survey',
	'surveyId',
	'The survey, from a list of those that were sent to someone or by its ID',
	'searchSurveys',
);

/** A survey recipient by its ID. */
export const surveyRecipientLocator = locator(
	'Survey Recipient',
	'surveyRecipientId',
	'The recipient, from the list of recipients or by its ID',
	'searchSurveyRecipients',
);

/**
 * A record chosen from a list or by its ID.
 *
 * @param search method of `listSearch` that fills the list
 */
function locator(
	displayName: string,
	name: string,
	description: string,
	search: string,
	idExample = GUID_EXAMPLE,
): INodeProperties {
	return {
		displayName,
		name,
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
					searchListMethod: search,
					searchable: true,
					slowLoadNotice: SLOW_LIST,
				},
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${idExample}` },
		],
	};
}
