import { type Field, code, flag, text } from '../../../shared/fields';
import { customerFields, invoiceAddressFields, invoicingFields } from '../fields/customerFields';

/**
 * A customer in full (first document, 'Customer (full record)').
 *
 * @param at where it stands in the body, e.g. `contact.customer`
 */
export function fullCustomerFields(at: string): Field[] {
	return [
		...customerFields(at),
		...invoiceAddressFields(at),
		...invoicingFields(at),
		text('Marking', `${at}.marking`, { description: 'Marking of the customer' }),
		text('EDI Number', `${at}.ediNumber`, { description: 'Number for electronic invoices' }),
		flag('Hidden', `${at}.hidden`, 'Whether the customer is hidden in lists'),
		code('Binary Flags', `${at}.binaryFlags`, [0, 1, 2, 4, 8, 16, 32], {
			description: 'A number out of a list. The documents do not say what the values mean.',
		}),
	];
}
