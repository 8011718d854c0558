import { type Field, codes, boolean, string } from '../../../shared/operation/fields';
import { customerFields, invoiceAddressFields, invoicingFields } from '../fields/customerFields';

/**
 * A customer in full.
 *
 * @param at path in the body, e.g. `contact.customer`
 */
export function fullCustomerFields(at: string): Field[] {
	return [
		...customerFields(at),
		...invoiceAddressFields(at),
		...invoicingFields(at),
		string('Marking', `${at}.marking`, { description: 'Marking of the customer' }),
		string('EDI Number', `${at}.ediNumber`, { description: 'Number for electronic invoices' }),
		boolean('Hidden', `${at}.hidden`, 'Whether the customer is hidden in lists'),
		codes('Binary Flags', `${at}.binaryFlags`, [0, 1, 2, 4, 8, 16, 32], {
			description: 'A number out of a list. The documents do not say what the values mean.',
		}),
	];
}
