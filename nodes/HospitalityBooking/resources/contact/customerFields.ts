import { type Field, code, dateTime, flag, identifier, integer, text } from '../../../shared/fields';

/**
 * A customer in full (first document, 'Customer (full record)').
 *
 * @param at where it stands in the body, e.g. `contact.customer`
 */
export function customerFields(at: string): Field[] {
	return [
		identifier('Customer ID', `${at}.id`, 'int64', { placeholder: 'e.g. 1042' }),
		text('Name', `${at}.name`, { placeholder: 'e.g. Nordic Travel AB' }),
		text('Organization Number', `${at}.orgNr`, { placeholder: 'e.g. 556677-8899' }),
		text('Customer Number', `${at}.customerNumber`, { placeholder: 'e.g. K-1042' }),
		text('Email', `${at}.email`, { placeholder: 'e.g. office@nordic.example' }),
		text('Phone', `${at}.phone`, { placeholder: 'e.g. +46 8 123 45 67' }),
		text('Fax', `${at}.fax`),
		text('Street Address', `${at}.streetaddress`, { placeholder: 'e.g. Main Street 5' }),
		text('Zip Code', `${at}.zipcode`, { placeholder: 'e.g. 111 30' }),
		text('City', `${at}.city`, { placeholder: 'e.g. Stockholm' }),
		text('Web Page', `${at}.webpage`, { placeholder: 'e.g. https://nordic.example' }),
		text('Information', `${at}.information`, { description: 'Notes on the customer' }),
		text('Account Manager', `${at}.accountManager`, { placeholder: 'e.g. Robin Berg' }),
		text('Marking', `${at}.marking`, { description: 'Marking of the customer' }),
		integer('Agreement Level', `${at}.agreementLevel`, {
			description: 'Level of the agreement, a number. The documents do not say what the levels mean.',
		}),
		flag('Hidden', `${at}.hidden`, 'Whether the customer is hidden in lists'),
		code('Binary Flags', `${at}.binaryFlags`, [0, 1, 2, 4, 8, 16, 32], {
			description: 'A number out of a list. The documents do not say what the values mean.',
		}),
		dateTime('Last Changed', `${at}.lastChangedUtc`, { description: 'When the customer was last changed' }),
		text('Last Changed By', `${at}.lastChangedBy`, { placeholder: 'e.g. Robin' }),
		text('Invoice Street Address', `${at}.invoiceStreetaddress`, { placeholder: 'e.g. Box 12' }),
		text('Invoice Zip Code', `${at}.invoiceZipCode`, { placeholder: 'e.g. 111 30' }),
		text('Invoice City', `${at}.invoiceCity`, { placeholder: 'e.g. Stockholm' }),
		text('Invoice Code 1', `${at}.invoiceCode1`, { description: 'First code to print on the invoice' }),
		text('Invoice Code 2', `${at}.invoiceCode2`, { description: 'Second code to print on the invoice' }),
		text('Invoice Code 3', `${at}.invoiceCode3`, { description: 'Third code to print on the invoice' }),
		integer('Invoicing Fee', `${at}.invoicingFee`, { description: 'Fee for an invoice' }),
		integer('Invoicing Payment Terms', `${at}.invoicingPaymentTerms`, {
			description: 'Terms of payment of an invoice, a number',
		}),
		text('EDI Number', `${at}.ediNumber`, { description: 'Number for electronic invoices' }),
	];
}
