import {
	type Field,
	code,
	dateTime,
	flag,
	identifier,
	integer,
	rowList,
	text,
	textList,
} from '../../../shared/fields';

/** A contact as a person (first document, 'ContactFull (full contact record)'). */
export const contactFields: readonly Field[] = [
	text('First Name', 'contact.fname', { placeholder: 'e.g. Anna' }),
	text('Last Name', 'contact.lname', { placeholder: 'e.g. Lind' }),
	text('Full Name', 'contact.fullname', { placeholder: 'e.g. Anna Lind' }),
	text('Title', 'contact.title', { placeholder: 'e.g. Dr' }),
	text('Email', 'contact.email', { placeholder: 'e.g. anna.lind@example.com' }),
	text('Mobile', 'contact.mobile', { placeholder: 'e.g. +46 70 123 45 67' }),
	text('Phone', 'contact.phone', { placeholder: 'e.g. +46 8 123 45 67' }),
	text('Fax', 'contact.fax'),
	text('Street Address', 'contact.streetaddress', { placeholder: 'e.g. Harbour Street 1' }),
	text('Zip Code', 'contact.zipcode', { placeholder: 'e.g. 111 30' }),
	text('City', 'contact.city', { placeholder: 'e.g. Stockholm' }),
	text('Information', 'contact.information', { description: 'Notes on the contact' }),
	text('Guest Identifier', 'contact.guestIdentifier', {
		description: 'Identifier that the guest is known by elsewhere',
	}),
	identifier('Contact ID', 'contact.id', 'int64', { placeholder: 'e.g. 2071' }),
	identifier('Temporary ID', 'contact.tempId', 'int64'),
	dateTime('Last Used', 'contact.lastUsed', { description: 'When the contact was last used' }),
	dateTime('Last Changed', 'contact.lastChangedUtc', { description: 'When the contact was last changed' }),
	text('Last Changed By', 'contact.lastChangedBy', { placeholder: 'e.g. Robin' }),
	flag('Hidden', 'contact.hidden', 'Whether the contact is hidden in lists'),
	flag('Newsletter', 'contact.newsletter', 'Whether the contact gets the newsletter'),
	flag('Returning', 'contact.returning', 'Whether the contact has been here before'),
	flag('Anonymized', 'contact.isAnonymized', 'Whether the personal data has been removed'),
	flag(
		'Allow Storing Forever',
		'contact.allowStoringForever',
		'Whether the personal data may be kept without a time limit',
	),
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
	identifier('Customer ID', 'contact.customerId', 'int64', { placeholder: 'e.g. 1042' }),
	text('Customer Name', 'contact.customerName', { placeholder: 'e.g. Nordic Travel AB' }),
	text("Customer's Customer Number", 'contact.customerCustomerNumber', { placeholder: 'e.g. K-1042' }),
	text('Customer Number', 'contact.customerNumber', { placeholder: 'e.g. C-2071' }),
	text('Organization Number', 'contact.orgNr', { placeholder: 'e.g. 556677-8899' }),
	text('Invoice Reference', 'contact.invoiceReference', { placeholder: 'e.g. Project 4711' }),
	integer('Invoicing Fee', 'contact.invoicingFee', { description: 'Fee for an invoice' }),
	integer('Invoicing Payment Terms', 'contact.invoicingPaymentTerms', {
		description: 'Terms of payment of an invoice, a number',
	}),
	integer('Agreement Level', 'contact.agreementLevel', {
		description: 'Level of the agreement, a number. The documents do not say what the levels mean.',
	}),
];
