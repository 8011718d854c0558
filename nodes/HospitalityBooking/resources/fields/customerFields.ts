import { type FieldRow, field } from '../../../shared/operation/contractFields';

/**
 * What a customer (a company) has in every body.
 *
 * @param at path in the body, e.g. `contact.customer`
 */
export function customerFields(at: string): FieldRow[] {
	return [
		field('Customer ID', `${at}.id`, {
			placeholder: 'e.g. 1042',
			description: 'ID of the company among the customers',
		}),
		field('Name', `${at}.name`, { placeholder: 'e.g. Nordic Travel AB' }),
		field('Organization Number', `${at}.orgNr`, { placeholder: 'e.g. 556677-8899' }),
		field('Customer Number', `${at}.customerNumber`, { placeholder: 'e.g. K-1042' }),
		field('Email', `${at}.email`, { placeholder: 'e.g. office@nordic.example' }),
		field('Phone', `${at}.phone`, { placeholder: 'e.g. +46 8 123 45 67' }),
		field('Fax', `${at}.fax`, { placeholder: 'e.g. +46 8 123 45 68' }),
		field('Street Address', `${at}.streetaddress`, { placeholder: 'e.g. Main Street 5' }),
		field('Zip Code', `${at}.zipcode`, { placeholder: 'e.g. 111 30' }),
		field('City', `${at}.city`, { placeholder: 'e.g. Stockholm' }),
		field('Web Page', `${at}.webpage`, { placeholder: 'e.g. https://nordic.example' }),
		field('Information', `${at}.information`, { description: 'Notes on the company' }),
		field('Account Manager', `${at}.accountManager`, { placeholder: 'e.g. Robin Berg' }),
		agreementLevel(at),
		...changeFields(at, 'company'),
	];
}

/** Where the invoice of a customer goes. */
export function invoiceAddressFields(at: string): FieldRow[] {
	return [
		field('Invoice Street Address', `${at}.invoiceStreetaddress`, { placeholder: 'e.g. Box 12' }),
		field('Invoice Zip Code', `${at}.invoiceZipCode`, { placeholder: 'e.g. 111 30' }),
		field('Invoice City', `${at}.invoiceCity`, { placeholder: 'e.g. Stockholm' }),
		field('Invoice Code 1', `${at}.invoiceCode1`, { description: 'First code of the invoice' }),
		field('Invoice Code 2', `${at}.invoiceCode2`, { description: 'Second code of the invoice' }),
		field('Invoice Code 3', `${at}.invoiceCode3`, { description: 'Third code of the invoice' }),
	];
}

/** On what terms a customer or contact is invoiced. */
export function invoicingFields(at: string): FieldRow[] {
	return [
		field('Invoicing Fee', `${at}.invoicingFee`, { description: 'Fee for an invoice' }),
		field('Invoicing Payment Terms', `${at}.invoicingPaymentTerms`, {
			description: 'Terms of payment of an invoice, a number',
		}),
	];
}

/** Level of the agreement with a customer or contact. */
export function agreementLevel(at: string): FieldRow {
	return field('Agreement Level', `${at}.agreementLevel`, {
		description: 'Level of the agreement, a number. The documents do not say what the levels mean.',
	});
}

/** When and by whom a record was changed. */
export function changeFields(at: string, what: string): FieldRow[] {
	return [
		field('Last Changed', `${at}.lastChangedUtc`, { description: `When the ${what} was last changed` }),
		field('Last Changed By', `${at}.lastChangedBy`, { placeholder: 'e.g. Robin' }),
	];
}
