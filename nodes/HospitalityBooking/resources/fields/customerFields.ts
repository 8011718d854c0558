import { type Field, dateTime, identifier, integer, string } from '../../../shared/operation/fields';

/**
 * What a customer (a company) has in every body.
 *
 * @param at path in the body, e.g. `contact.customer`
 */
export function customerFields(at: string): Field[] {
	return [
		identifier('Customer ID', `${at}.id`, 'int64', {
			placeholder: 'e.g. 1042',
			description: 'ID of the company among the customers',
		}),
		string('Name', `${at}.name`, { placeholder: 'e.g. Nordic Travel AB' }),
		string('Organization Number', `${at}.orgNr`, { placeholder: 'e.g. 556677-8899' }),
		string('Customer Number', `${at}.customerNumber`, { placeholder: 'e.g. K-1042' }),
		string('Email', `${at}.email`, { placeholder: 'e.g. office@nordic.example' }),
		string('Phone', `${at}.phone`, { placeholder: 'e.g. +46 8 123 45 67' }),
		string('Fax', `${at}.fax`, { placeholder: 'e.g. +46 8 123 45 68' }),
		string('Street Address', `${at}.streetaddress`, { placeholder: 'e.g. Main Street 5' }),
		string('Zip Code', `${at}.zipcode`, { placeholder: 'e.g. 111 30' }),
		string('City', `${at}.city`, { placeholder: 'e.g. Stockholm' }),
		string('Web Page', `${at}.webpage`, { placeholder: 'e.g. https://nordic.example' }),
		string('Information', `${at}.information`, { description: 'Notes on the company' }),
		string('Account Manager', `${at}.accountManager`, { placeholder: 'e.g. Robin Berg' }),
		agreementLevel(at),
		...changeFields(at, 'company'),
	];
}

/** Where the invoice of a customer goes. */
export function invoiceAddressFields(at: string): Field[] {
	return [
		string('Invoice Street Address', `${at}.invoiceStreetaddress`, { placeholder: 'e.g. Box 12' }),
		string('Invoice Zip Code', `${at}.invoiceZipCode`, { placeholder: 'e.g. 111 30' }),
		string('Invoice City', `${at}.invoiceCity`, { placeholder: 'e.g. Stockholm' }),
		string('Invoice Code 1', `${at}.invoiceCode1`, { description: 'First code of the invoice' }),
		string('Invoice Code 2', `${at}.invoiceCode2`, { description: 'Second code of the invoice' }),
		string('Invoice Code 3', `${at}.invoiceCode3`, { description: 'Third code of the invoice' }),
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
		string('Last Changed By', `${at}.lastChangedBy`, { placeholder: 'e.g. Robin' }),
	];
}
