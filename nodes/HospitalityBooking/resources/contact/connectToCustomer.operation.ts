import { operation } from '../../../shared/operation/declare';
import { collection, field, within } from '../../../shared/form/rows';
import { contactLocator, customerLocator } from '../../../shared/booking/locators';
import {
	changeFields,
	fullCustomerFields,
	invoicingFields,
	personFields,
} from '../fields/peopleFields';

const contactFields = within('contact', [
	...personFields,
	...changeFields,
	field('Full Name', 'fullname'),
	field('Title', 'title'),
	field('Information', 'information', { description: 'Notes on the contact' }),
	field('Guest Identifier', 'guestIdentifier', {
		description: 'ID of the guest in another system',
	}),
	field('Temporary ID', 'tempId'),
	field('Last Used', 'lastUsed'),
	field('Hidden', 'hidden', { description: 'Whether it is hidden in lists' }),
	field('Anonymized', 'isAnonymized', {
		description: 'Whether the personal data has been removed',
	}),
	field('Filter Data', 'filterData', { description: 'Selections of contact filters as one text' }),
	field('Contact Filters', 'contactFilterData', {
		entry: 'Contact Filter',
		entries: [
			field('Contact Filter ID', 'contactFilterId', { as: 'id' }),
			field('Selected Items', 'selectedStringItems', {
				description: 'The filter items that apply to the contact',
			}),
		],
		description: 'Selected items of each contact filter',
	}),
	field('Binary Flags', 'binaryFlags'),
]);

const contactInvoiceFields = within('contact', [
	...invoicingFields,
	field('Agreement Level', 'agreementLevel'),
	field('Customer ID', 'customerId'),
	field('Customer Name', 'customerName'),
	field("Customer's Customer Number", 'customerCustomerNumber'),
	field('Customer Number', 'customerNumber'),
	field('Organization Number', 'orgNr'),
	field('Invoice Reference', 'invoiceReference'),
]);

export const connectToCustomer = operation('contact.connectToCustomer', {
	name: 'Connect to Customer',
	action: 'Connect contact to customer',
	description: 'Create a connection between a contact (a person) and a customer (a company)',
	body: {
		sameIds: {
			'contact.id': 'contactId',
			'customer.id': 'customerId',
			'contact.customer.id': 'contact.customerId',
		},
		sections: [
			field('Contact ID', 'contactId', {
				locator: contactLocator,
				namesRecord: true,
			}),
			field('Customer', 'customerId', {
				locator: customerLocator,
				namesRecord: true,
			}),
			collection('Connection', 'connection', [
				field('Connection ID', 'id'),
				field('Contact First Name', 'contactFirstName'),
				field('Contact Last Name', 'contactLastName'),
				field('Customer Friendly ID', 'customerFriendlyId'),
				field('Customer Name', 'customerName'),
				field('Binary Flags', 'binaryFlags'),
			]),
			collection('Contact Details', 'contact', contactFields),
			collection('Contact Invoicing', 'contactInvoicing', contactInvoiceFields),
			collection(
				'Customer of the Contact',
				'contactCustomer',
				within('contact.customer', fullCustomerFields),
			),
			collection('Customer Details', 'customer', within('customer', fullCustomerFields)),
		],
	},
});
