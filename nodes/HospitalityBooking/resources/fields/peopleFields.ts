import { field } from '../../../shared/operation/declare';

export const agreementLevel = field('Agreement Level', 'agreementLevel', {
	description: 'Level of the agreement, a number. The API does not specify what the levels mean.',
});

/** When and by whom a record was changed. */
export function changeFields(what: string) {
	return [
		field('Last Changed', 'lastChangedUtc', { description: `When the ${what} was last changed` }),
		field('Last Changed By', 'lastChangedBy', { placeholder: 'e.g. Robin' }),
	];
}

/** What a contact (a person) has in every body. */
export const personFields = [
	field('Contact ID', 'id', {
		placeholder: 'e.g. 2071',
		description: 'Contact ID of the person',
	}),
	field('First Name', 'fname', { placeholder: 'e.g. Anna' }),
	field('Last Name', 'lname', { placeholder: 'e.g. Lind' }),
	field('Email', 'email', { placeholder: 'e.g. anna.lind@example.com' }),
	field('Mobile', 'mobile', { placeholder: 'e.g. +46 70 123 45 67' }),
	field('Phone', 'phone', { placeholder: 'e.g. +46 8 123 45 67' }),
	field('Fax', 'fax', { placeholder: 'e.g. +46 8 123 45 68' }),
	field('Street Address', 'streetaddress', { placeholder: 'e.g. Harbour Street 1' }),
	field('Zip Code', 'zipcode', { placeholder: 'e.g. 111 30' }),
	field('City', 'city', { placeholder: 'e.g. Stockholm' }),
	field('Newsletter', 'newsletter', { description: 'Whether the person receives the newsletter' }),
	field('Returning', 'returning', { description: 'Whether the person has been here before' }),
	field('Allow Storing Forever', 'allowStoringForever', {
		description: 'Whether the personal data may be kept without a time limit',
	}),
];

/** What a customer (a company) has in every body. */
export const customerFields = [
	field('Customer ID', 'id', {
		placeholder: 'e.g. 1042',
		description: 'Customer ID of the company',
	}),
	field('Name', 'name', { placeholder: 'e.g. Nordic Travel AB' }),
	field('Organization Number', 'orgNr', { placeholder: 'e.g. 556677-8899' }),
	field('Customer Number', 'customerNumber', { placeholder: 'e.g. K-1042' }),
	field('Email', 'email', { placeholder: 'e.g. office@nordic.example' }),
	field('Phone', 'phone', { placeholder: 'e.g. +46 8 123 45 67' }),
	field('Fax', 'fax', { placeholder: 'e.g. +46 8 123 45 68' }),
	field('Street Address', 'streetaddress', { placeholder: 'e.g. Main Street 5' }),
	field('Zip Code', 'zipcode', { placeholder: 'e.g. 111 30' }),
	field('City', 'city', { placeholder: 'e.g. Stockholm' }),
	field('Web Page', 'webpage', { placeholder: 'e.g. https://nordic.example' }),
	field('Information', 'information', { description: 'Notes on the company' }),
	field('Account Manager', 'accountManager', { placeholder: 'e.g. Robin Berg' }),
	agreementLevel,
	...changeFields('company'),
];

export const invoiceAddressFields = [
	field('Invoice Street Address', 'invoiceStreetaddress', { placeholder: 'e.g. Box 12' }),
	field('Invoice Zip Code', 'invoiceZipCode', { placeholder: 'e.g. 111 30' }),
	field('Invoice City', 'invoiceCity', { placeholder: 'e.g. Stockholm' }),
	field('Invoice Code 1', 'invoiceCode1', { description: 'First code of the invoice' }),
	field('Invoice Code 2', 'invoiceCode2', { description: 'Second code of the invoice' }),
	field('Invoice Code 3', 'invoiceCode3', { description: 'Third code of the invoice' }),
];

export const invoicingFields = [
	field('Invoicing Fee', 'invoicingFee', { description: 'Fee for an invoice' }),
	field('Invoicing Payment Terms', 'invoicingPaymentTerms', {
		description: 'Terms of payment of an invoice, a number',
	}),
];

export const fullCustomerFields = [
	...customerFields,
	...invoiceAddressFields,
	...invoicingFields,
	field('Marking', 'marking', { description: 'Marking of the customer' }),
	field('EDI Number', 'ediNumber', { description: 'Number for electronic invoices' }),
	field('Hidden', 'hidden', { description: 'Whether the customer is hidden in lists' }),
	field('Binary Flags', 'binaryFlags'),
];
