import { type FieldRow, field } from '../../../shared/operation/contractFields';
import { agreementLevel, changeFields, invoicingFields } from '../fields/customerFields';
import { personFields } from '../fields/personFields';

/** A contact as a person. */
export const contactFields: readonly FieldRow[] = [
	...personFields('contact'),
	...changeFields('contact', 'contact'),
	field('Full Name', 'contact.fullname', { placeholder: 'e.g. Anna Lind' }),
	field('Title', 'contact.title', { placeholder: 'e.g. Dr' }),
	field('Information', 'contact.information', { description: 'Notes on the contact' }),
	field('Guest Identifier', 'contact.guestIdentifier', {
		description: 'Identifier that the guest is known by elsewhere',
	}),
	field('Temporary ID', 'contact.tempId', { placeholder: 'e.g. 7' }),
	field('Last Used', 'contact.lastUsed', { description: 'When the contact was last used' }),
	field('Hidden', 'contact.hidden', { description: 'Whether the contact is hidden in lists' }),
	field('Anonymized', 'contact.isAnonymized', { description: 'Whether the personal data has been removed' }),
	field('Filter Data', 'contact.filterData', { description: 'Selections of contact filters as one text' }),
	field('Contact Filters', 'contact.contactFilterData', {
		entry: 'Contact Filter',
		entries: [
			field('Contact Filter ID', 'contactFilterId', { as: 'int32', placeholder: 'e.g. 2' }),
			field('Selected Items', 'selectedStringItems', {
				placeholder: 'e.g. Vegetarian, Vegan',
				description: 'The items of the filter that hold for the contact',
			}),
		],
		description: 'What is selected in each contact filter',
	}),
	field('Binary Flags', 'contact.binaryFlags', {
		description: 'A number out of a list. The documents do not say what the values mean.',
	}),
];

/** How a contact is invoiced, and for which company. */
export const contactInvoiceFields: readonly FieldRow[] = [
	...invoicingFields('contact'),
	agreementLevel('contact'),
	field('Customer ID', 'contact.customerId', { placeholder: 'e.g. 1042' }),
	field('Customer Name', 'contact.customerName', { placeholder: 'e.g. Nordic Travel AB' }),
	field("Customer's Customer Number", 'contact.customerCustomerNumber', { placeholder: 'e.g. K-1042' }),
	field('Customer Number', 'contact.customerNumber', { placeholder: 'e.g. C-2071' }),
	field('Organization Number', 'contact.orgNr', { placeholder: 'e.g. 556677-8899' }),
	field('Invoice Reference', 'contact.invoiceReference', { placeholder: 'e.g. Project 4711' }),
];
