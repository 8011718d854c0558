import { type FieldRow, field } from '../../../shared/operation/contractFields';
import { customerFields, invoiceAddressFields, invoicingFields } from '../fields/customerFields';

/**
 * A customer in full.
 *
 * @param at path in the body, e.g. `contact.customer`
 */
export function fullCustomerFields(at: string): FieldRow[] {
	return [
		...customerFields(at),
		...invoiceAddressFields(at),
		...invoicingFields(at),
		field('Marking', `${at}.marking`, { description: 'Marking of the customer' }),
		field('EDI Number', `${at}.ediNumber`, { description: 'Number for electronic invoices' }),
		field('Hidden', `${at}.hidden`, { description: 'Whether the customer is hidden in lists' }),
		field('Binary Flags', `${at}.binaryFlags`, {
			description: 'A number out of a list. The documents do not say what the values mean.',
		}),
	];
}
