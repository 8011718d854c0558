import { type Field, dateTime, identifier, integer, text } from '../../../shared/fields';

/** The company of a web booking (first document, 'WebBookingCustomer (as embedded in a web booking)'). */
export const companyFields: readonly Field[] = [
	identifier('Customer ID', 'customer.id', 'int64', {
		placeholder: 'e.g. 1042',
		description: 'ID of the company among the customers',
	}),
	text('Name', 'customer.name', { placeholder: 'e.g. Nordic Travel AB' }),
	text('Organization Number', 'customer.orgNr', { placeholder: 'e.g. 556677-8899' }),
	text('Customer Number', 'customer.customerNumber', { placeholder: 'e.g. K-1042' }),
	text('Email', 'customer.email', { placeholder: 'e.g. office@nordic.example' }),
	text('Phone', 'customer.phone', { placeholder: 'e.g. +46 8 123 45 67' }),
	text('Fax', 'customer.fax'),
	text('Street Address', 'customer.streetaddress', { placeholder: 'e.g. Main Street 5' }),
	text('Zip Code', 'customer.zipcode', { placeholder: 'e.g. 111 30' }),
	text('City', 'customer.city', { placeholder: 'e.g. Stockholm' }),
	text('Web Page', 'customer.webpage', { placeholder: 'e.g. https://nordic.example' }),
	text('Information', 'customer.information', { description: 'Notes on the company' }),
	text('Account Manager', 'customer.accountManager', { placeholder: 'e.g. Robin Berg' }),
	integer('Agreement Level', 'customer.agreementLevel', {
		description: 'Level of the agreement, a number. The documents do not say what the levels mean.',
	}),
	dateTime('Last Changed', 'customer.lastChangedUtc', {
		description: 'When the company was last changed',
	}),
	text('Last Changed By', 'customer.lastChangedBy', { placeholder: 'e.g. Robin' }),
];

/** Where the invoice for a web booking goes. */
export const invoiceAddressFields: readonly Field[] = [
	text('Invoice Street Address', 'customer.invoiceStreetaddress', { placeholder: 'e.g. Box 12' }),
	text('Invoice Zip Code', 'customer.invoiceZipCode', { placeholder: 'e.g. 111 30' }),
	text('Invoice City', 'customer.invoiceCity', { placeholder: 'e.g. Stockholm' }),
	text('Invoice Code 1', 'customer.invoiceCode1', { description: 'First code to print on the invoice' }),
	text('Invoice Code 2', 'customer.invoiceCode2', { description: 'Second code to print on the invoice' }),
	text('Invoice Code 3', 'customer.invoiceCode3', { description: 'Third code to print on the invoice' }),
];
