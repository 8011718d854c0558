import {
	type Field,
	codes,
	dateTime,
	boolean,
	identifier,
	string,
	stringList,
} from '../../../shared/operation/fields';
import { fixedCollection } from '../../../shared/operation/rowFields';
import { agreementLevel, changeFields, invoicingFields } from '../fields/customerFields';
import { personFields } from '../fields/personFields';

/** A contact as a person. */
export const contactFields: readonly Field[] = [
	...personFields('contact'),
	...changeFields('contact', 'contact'),
	string('Full Name', 'contact.fullname', { placeholder: 'e.g. Anna Lind' }),
	string('Title', 'contact.title', { placeholder: 'e.g. Dr' }),
	string('Information', 'contact.information', { description: 'Notes on the contact' }),
	string('Guest Identifier', 'contact.guestIdentifier', {
		description: 'Identifier that the guest is known by elsewhere',
	}),
	identifier('Temporary ID', 'contact.tempId', 'int64', { placeholder: 'e.g. 7' }),
	dateTime('Last Used', 'contact.lastUsed', { description: 'When the contact was last used' }),
	boolean('Hidden', 'contact.hidden', 'Whether the contact is hidden in lists'),
	boolean('Anonymized', 'contact.isAnonymized', 'Whether the personal data has been removed'),
	string('Filter Data', 'contact.filterData', { description: 'Selections of contact filters as one text' }),
	fixedCollection(
		'Contact Filters',
		'contact.contactFilterData',
		'Contact Filter',
		[
			identifier('Contact Filter ID', 'contactFilterId', 'int32', { placeholder: 'e.g. 2' }),
			stringList('Selected Items', 'selectedStringItems', {
				placeholder: 'e.g. Vegetarian, Vegan',
				description: 'The items of the filter that hold for the contact',
			}),
		],
		{ description: 'What is selected in each contact filter' },
	),
	codes('Binary Flags', 'contact.binaryFlags', [0, 1, 2, 4, 16, 32, 64], {
		description: 'A number out of a list. The documents do not say what the values mean.',
	}),
];

/** How a contact is invoiced, and for which company. */
export const contactInvoiceFields: readonly Field[] = [
	...invoicingFields('contact'),
	agreementLevel('contact'),
	identifier('Customer ID', 'contact.customerId', 'int64', { placeholder: 'e.g. 1042' }),
	string('Customer Name', 'contact.customerName', { placeholder: 'e.g. Nordic Travel AB' }),
	string("Customer's Customer Number", 'contact.customerCustomerNumber', { placeholder: 'e.g. K-1042' }),
	string('Customer Number', 'contact.customerNumber', { placeholder: 'e.g. C-2071' }),
	string('Organization Number', 'contact.orgNr', { placeholder: 'e.g. 556677-8899' }),
	string('Invoice Reference', 'contact.invoiceReference', { placeholder: 'e.g. Project 4711' }),
];
