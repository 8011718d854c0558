import { type Field, dateTime, identifier, integer, text } from '../../../shared/fields';

/**
 * What a customer (a company) has wherever it stands (first document, 'WebBookingCustomer' and 'Customer').
 *
 * @param at where it stands in the body, e.g. `contact.customer`
 */
export function customerFields(at: string): Field[] {
	return [
		identifier('Customer ID', `${at}.id`, 'int64', {
			placeholder: 'e.g. 1042',
			description: 'ID of the company among the customers',
		}),
		text('Name', `${at}.name`, { placeholder: 'e.g. Nordic Travel AB' }),
		text('Organization Number', `${at}.orgNr`, { placeholder: 'e.g. 556677-8899' }),
		text('Customer Number', `${at}.customerNumber`, { placeholder: 'e.g. K-1042' }),
		text('Email', `${at}.email`, { placeholder: 'e.g. office@nordic.example' }),
		text('Phone', `${at}.phone`, { placeholder: 'e.g. +46 8 123 45 67' }),
		text('Fax', `${at}.fax`, { placeholder: 'e.g. +46 8 123 45 68' }),
		text('Street Address', `${at}.streetaddress`, { placeholder: 'e.g. Main Street 5' }),
		text('Zip Code', `${at}.zipcode`, { placeholder: 'e.g. 111 30' }),
		text('City', `${at}.city`, { placeholder: 'e.g. Stockholm' }),
		text('Web Page', `${at}.webpage`, { placeholder: 'e.g. https://nordic.example' }),
		text('Information', `${at}.information`, { description: 'Notes on the company' }),
		text('Account Manager', `${at}.accountManager`, { placeholder: 'e.g. Robin Berg' }),
		agreementLevel(at),
		...changeFields(at, 'company'),
	];
}

/** Where the invoice of a customer goes. */
export function invoiceAddressFields(at: string): Field[] {
	return [
		text('Invoice Street Address', `${at}.invoiceStreetaddress`, { placeholder: 'e.g. Box 12' }),
		text('Invoice Zip Code', `${at}.invoiceZipCode`, { placeholder: 'e.g. 111 30' }),
		text('Invoice City', `${at}.invoiceCity`, { placeholder: 'e.g. Stockholm' }),
		text('Invoice Code 1', `${at}.invoiceCode1`, { description: 'First code of the invoice' }),
		text('Invoice Code 2', `${at}.invoiceCode2`, { description: 'Second code of the invoice' }),
		text('Invoice Code 3', `${at}.invoiceCode3`, { description: 'Third code of the invoice' }),
	];
}

/** On what terms a customer or contact is invoiced. */
export function invoicingFields(at: string): Field[] {
	return [
		integer('Invoicing Fee', `${at}.invoicingFee`, { description: 'Fee for an invoice' }),
		integer('Invoicing Payment Terms', `${at}.invoicingPaymentTerms`, {
			description: 'Terms of payment of an invoice, a number',
		}),
	];
}

/** Level of the agreement with a customer or contact. */
export function agreementLevel(at: string): Field {
	return integer('Agreement Level', `${at}.agreementLevel`, {
		description: 'Level of the agreement, a number. The documents do not say what the levels mean.',
	});
}

/** When and by whom a record was changed. */
export function changeFields(at: string, what: string): Field[] {
	return [
		dateTime('Last Changed', `${at}.lastChangedUtc`, { description: `When the ${what} was last changed` }),
		text('Last Changed By', `${at}.lastChangedBy`, { placeholder: 'e.g. Robin' }),
	];
}
