import { collection, field, operation, record, within } from '../../../shared/operation/declare';
import { customerLocator } from '../../../shared/booking/fields';
import {
	agreementLevel,
	changeFields,
	fullCustomerFields,
	invoicingFields,
	personFields,
} from '../fields/peopleFields';

const contactFields = within('contact', [
	...personFields,
	...changeFields('contact'),
	field('Full Name', 'fullname', { placeholder: 'e.g. Anna Lind' }),
	field('Title', 'title', { placeholder: 'e.g. Dr' }),
	field('Information', 'information', { description: 'Notes on the contact' }),
	field('Guest Identifier', 'guestIdentifier', {
		description: 'ID of the guest in another system',
	}),
	field('Temporary ID', 'tempId', { placeholder: 'e.g. 7' }),
	field('Last Used', 'lastUsed', { description: 'When the contact was last used' }),
	field('Hidden', 'hidden', { description: 'Whether the contact is hidden in lists' }),
	field('Anonymized', 'isAnonymized', { description: 'Whether the personal data has been removed' }),
	field('Filter Data', 'filterData', { description: 'Selections of contact filters as one text' }),
	field('Contact Filters', 'contactFilterData', {
		entry: 'Contact Filter',
		entries: [
			field('Contact Filter ID', 'contactFilterId', { as: 'int32', placeholder: 'e.g. 2' }),
			field('Selected Items', 'selectedStringItems', {
				placeholder: 'e.g. Vegetarian, Vegan',
				description: 'The filter items that apply to the contact',
			}),
		],
		description: 'Selected items of each contact filter',
	}),
	field('Binary Flags', 'binaryFlags'),
]);

const contactInvoiceFields = within('contact', [
	...invoicingFields,
	agreementLevel,
	field('Customer ID', 'customerId', { placeholder: 'e.g. 1042' }),
	field('Customer Name', 'customerName', { placeholder: 'e.g. Nordic Travel AB' }),
	field("Customer's Customer Number", 'customerCustomerNumber', { placeholder: 'e.g. K-1042' }),
	field('Customer Number', 'customerNumber', { placeholder: 'e.g. C-2071' }),
	field('Organization Number', 'orgNr', { placeholder: 'e.g. 556677-8899' }),
	field('Invoice Reference', 'invoiceReference', { placeholder: 'e.g. Project 4711' }),
]);

export const connectToCustomer = operation('contact.connectToCustomer', {
	name: 'Connect to Customer',
	action: 'Connect contact to customer',
	description: 'Create a connection between a contact (a person) and a customer (a company)',
	body: {
		sections: [
			record(
				field('Contact ID', 'contactId', {
					placeholder: 'e.g. 2071',
					description: 'ID of the contact to connect',
				}),
				field('Customer', 'customerId', { locator: customerLocator }),
			),
			collection('Connection', 'connection', [
				field('Connection ID', 'id', { placeholder: 'e.g. 88' }),
				field('Contact First Name', 'contactFirstName', { placeholder: 'e.g. Anna' }),
				field('Contact Last Name', 'contactLastName', { placeholder: 'e.g. Lind' }),
				field('Customer Friendly ID', 'customerFriendlyId', { placeholder: 'e.g. K-1042' }),
				field('Customer Name', 'customerName', { placeholder: 'e.g. Nordic Travel AB' }),
				field('Binary Flags', 'binaryFlags'),
			]),
			collection('Contact Details', 'contact', contactFields, {
				description: 'Data of the contact to send with the connection',
			}),
			collection('Contact Invoicing', 'contactInvoicing', contactInvoiceFields),
			collection(
				'Customer of the Contact',
				'contactCustomer',
				within('contact.customer', fullCustomerFields),
				{
					description: 'The customer named in the contact',
				},
			),
			collection('Customer Details', 'customer', within('customer', fullCustomerFields), {
				description: 'Data of the customer to send with the connection',
			}),
		],
	},
});
