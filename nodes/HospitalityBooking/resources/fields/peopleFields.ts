import { field } from '../../../shared/form/rows';

/** When and by whom a record was changed. */
export const changeFields = [
	field('Last Changed', 'lastChangedUtc', {
		description: 'UTC unless it has an offset',
	}),
	field('Last Changed By', 'lastChangedBy'),
];

/** Fields of a contact (a person) in every body. */
export const personFields = [
	field('Contact ID', 'id'),
	field('First Name', 'fname'),
	field('Last Name', 'lname'),
	field('Email', 'email'),
	field('Mobile', 'mobile'),
	field('Phone', 'phone'),
	field('Fax', 'fax'),
	field('Street Address', 'streetaddress'),
	field('Zip Code', 'zipcode'),
	field('City', 'city'),
	field('Newsletter', 'newsletter', { description: 'Whether the person receives the newsletter' }),
	field('Returning', 'returning', { description: 'Whether the person has been here before' }),
	field('Allow Storing Forever', 'allowStoringForever', {
		description: 'Whether the data may be kept without a time limit',
	}),
];

/** Fields of a customer (a company) in every body. */
export const customerFields = [
	field('Customer ID', 'id'),
	field('Name', 'name'),
	field('Organization Number', 'orgNr'),
	field('Customer Number', 'customerNumber'),
	field('Email', 'email'),
	field('Phone', 'phone'),
	field('Fax', 'fax'),
	field('Street Address', 'streetaddress'),
	field('Zip Code', 'zipcode'),
	field('City', 'city'),
	field('Web Page', 'webpage'),
	field('Information', 'information', { description: 'Notes on the company' }),
	field('Account Manager', 'accountManager'),
	field('Agreement Level', 'agreementLevel'),
	...changeFields,
];

export const invoiceAddressFields = [
	field('Invoice Street Address', 'invoiceStreetaddress'),
	field('Invoice Zip Code', 'invoiceZipCode'),
	field('Invoice City', 'invoiceCity'),
	field('Invoice Code 1', 'invoiceCode1'),
	field('Invoice Code 2', 'invoiceCode2'),
	field('Invoice Code 3', 'invoiceCode3'),
];

export const invoicingFields = [
	field('Invoicing Fee', 'invoicingFee'),
	field('Invoicing Payment Terms', 'invoicingPaymentTerms', {
		description: 'Payment terms, a number',
	}),
];

export const fullCustomerFields = [
	...customerFields,
	...invoiceAddressFields,
	...invoicingFields,
	field('Marking', 'marking'),
	field('EDI Number', 'ediNumber'),
	field('Hidden', 'hidden', { description: 'Whether it is hidden in lists' }),
	field('Binary Flags', 'binaryFlags'),
];
