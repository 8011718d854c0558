import type { INodeProperties } from 'n8n-workflow';
import reject from 'lodash/reject';

const GUID_EXAMPLE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** A web booking: an agent's model reads of a parameter no more than its name, which says what it may give. */
export const webBookingLocator = locator({
	name: 'webBookingId',
	what: 'booking',
	searchListMethod: 'searchWebBookings',
	description: 'The booking: from a list, by its number, or by its GUID',
	hasNumber: true,
	idExample: GUID_EXAMPLE,
});

/** A booking in the checkout, which has a number of its own there. */
export const checkoutBookingLocator = locator({
	name: 'bookingRootId',
	what: 'booking',
	searchListMethod: 'searchCheckoutBookings',
	description:
		"One of today's bookings from the list, by its number, or by its root ID. An agent's digits are a number first.",
	hasNumber: true,
	idName: 'By Root ID',
	idExample: '52001',
});

export const customerLocator = locator({
	name: 'customerId',
	what: 'customer',
	searchListMethod: 'searchCustomers',
	description: 'The customer (company), from a list or by its ID',
	idExample: '1042',
});

export const surveyRecipientLocator = locator({
	name: 'surveyRecipientId',
	what: 'survey recipient',
	searchListMethod: 'searchSurveyRecipients',
	description: 'The recipient, from a list or by its ID',
	idExample: GUID_EXAMPLE,
});

export const contactLocator = locator({
	name: 'contactId',
	what: 'contact',
	searchListMethod: 'searchContacts',
	description: 'The contact (guest), from recent bookings or by its ID',
	idExample: '2071',
});

export const articleGroupLocator = locator({
	name: 'articleGroupId',
	what: 'article group',
	searchListMethod: 'searchArticleGroups',
	description: 'The article group, from recent bookings or by its ID',
	idExample: '101',
});

export const ruleLocator = locator({
	name: 'ruleId',
	what: 'rule',
	searchListMethod: 'searchRules',
	description: 'The booking rule that offers the time, from recent bookings or by its ID',
	idExample: '311',
});

interface LocatorRow {
	/** Of the parameter. */
	name: string;
	/** In lower case, for the list's placeholder. */
	what: string;
	/** The node's method that fills the list. */
	searchListMethod: string;
	description: string;
	/** Whether it may be named by its booking number. */
	hasNumber?: true;
	idName?: string;
	idExample: string;
}

/** A record chosen by ID, or from a list; the field that it stands in names it. */
function locator(row: LocatorRow): INodeProperties {
	const { name, what, searchListMethod, description, hasNumber, idName = 'By ID' } = row;
	const slowLoadNotice = {
		message: `If loading takes long, choose '${idName}' instead`,
		timeout: 5000,
	};
	const property: INodeProperties = {
		displayName: what,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${what}…`,
				typeOptions: { searchListMethod, searchable: true, slowLoadNotice },
			},
			{ displayName: 'By Number', name: 'number', type: 'string', placeholder: 'e.g. B10231' },
			{ displayName: idName, name: 'id', type: 'string', placeholder: `e.g. ${row.idExample}` },
		],
	};
	if (!hasNumber) property.modes = reject(property.modes, { name: 'number' });
	return property;
}
