import {
	type Field,
	code,
	dateTime,
	flag,
	identifier,
	rowList,
	text,
	textList,
} from '../../../shared/fields';
import { agreementLevel, changeFields, invoicingFields } from '../fields/customerFields';
import { personFields } from '../fields/personFields';

/** A contact as a person (first document, 'ContactFull (full contact record)'). */
export const contactFields: readonly Field[] = [
	...personFields('contact'),
	...changeFields('contact', 'contact'),
	text('Full Name', 'contact.fullname', { placeholder: 'e.g. Anna Lind' }),
	text('Title', 'contact.title', { placeholder: 'e.g. Dr' }),
	text('Information', 'contact.information', { description: 'Notes on the contact' }),
	text('Guest Identifier', 'contact.guestIdentifier', {
		description: 'Identifier that the guest is known by elsewhere',
	}),
	identifier('Temporary ID', 'contact.tempId', 'int64', { placeholder: 'e.g. 7' }),
	dateTime('Last Used', 'contact.lastUsed', { description: 'When the contact was last used' }),
	flag('Hidden', 'contact.hidden', 'Whether the contact is hidden in lists'),
	flag('Anonymized', 'contact.isAnonymized', 'Whether the personal data has been removed'),
	text('Filter Data', 'contact.filterData', { description: 'Selections of contact filters as one text' }),
	rowList(
		'Contact Filters',
		'contact.contactFilterData',
		'Contact Filter',
		[
			identifier('Contact Filter ID', 'contactFilterId', 'int32', { placeholder: 'e.g. 2' }),
			textList('Selected Items', 'selectedStringItems', {
				placeholder: 'e.g. Vegetarian, Vegan',
				description: 'The items of the filter that hold for the contact',
			}),
		],
		{ description: 'What is selected in each contact filter' },
	),
	code('Binary Flags', 'contact.binaryFlags', [0, 1, 2, 4, 16, 32, 64], {
		description: 'A number out of a list. The documents do not say what the values mean.',
	}),
];

/** How a contact is invoiced, and for which company. */
export const contactInvoiceFields: readonly Field[] = [
	...invoicingFields('contact'),
	agreementLevel('contact'),
	identifier('Customer ID', 'contact.customerId', 'int64', { placeholder: 'e.g. 1042' }),
	text('Customer Name', 'contact.customerName', { placeholder: 'e.g. Nordic Travel AB' }),
	text("Customer's Customer Number", 'contact.customerCustomerNumber', { placeholder: 'e.g. K-1042' }),
	text('Customer Number', 'contact.customerNumber', { placeholder: 'e.g. C-2071' }),
	text('Organization Number', 'contact.orgNr', { placeholder: 'e.g. 556677-8899' }),
	text('Invoice Reference', 'contact.invoiceReference', { placeholder: 'e.g. Project 4711' }),
];
