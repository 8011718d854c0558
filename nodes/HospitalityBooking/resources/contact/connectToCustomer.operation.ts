import { collection, record } from '../../../shared/operation/body';
import { resourceLocator, codes, identifier, string } from '../../../shared/operation/fields';
import { customerLocator } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';
import { contactFields, contactInvoiceFields } from './contactFields';
import { fullCustomerFields } from './fullCustomerFields';

/** @see contract/openapi.yaml contact.connectToCustomer */
export const connectToCustomer: Operation = {
	value: 'connectToCustomer',
	name: 'Connect to Customer',
	action: 'Connect contact to customer',
	description: 'Create a connection between a contact (a person) and a customer (a company)',
	method: 'POST',
	path: '/api/booking/v1/booking/contactcustomerconnections',
	record: 'body.contactId',
	body: {
		schema: 'ContactCustomerConnection',
		sections: [
			record(
				identifier('Contact ID', 'contactId', 'int64', {
					placeholder: 'e.g. 2071',
					description: 'ID of the contact to connect',
				}),
				resourceLocator('customerId', 'int64', customerLocator),
			),
			collection('Connection', 'connection', [
				identifier('Connection ID', 'id', 'int64', { placeholder: 'e.g. 88' }),
				string('Contact First Name', 'contactFirstName', { placeholder: 'e.g. Anna' }),
				string('Contact Last Name', 'contactLastName', { placeholder: 'e.g. Lind' }),
				string('Customer Friendly ID', 'customerFriendlyId', { placeholder: 'e.g. K-1042' }),
				string('Customer Name', 'customerName', { placeholder: 'e.g. Nordic Travel AB' }),
				codes('Binary Flags', 'binaryFlags', [0, 1, 16], {
					description: 'A number out of a list. The documents do not say what the values mean.',
				}),
			]),
			collection(
				'Contact Details',
				'contact',
				contactFields,
				'Data of the contact to send with the connection',
			),
			collection('Contact Invoicing', 'contactInvoicing', contactInvoiceFields),
			collection(
				'Customer of the Contact',
				'contactCustomer',
				fullCustomerFields('contact.customer'),
				'The customer that the contact itself names',
			),
			collection(
				'Customer Details',
				'customer',
				fullCustomerFields('customer'),
				'Data of the customer to send with the connection',
			),
		],
		example: {
			contactId: 2071,
			customerId: 1042,
			contactFirstName: 'Anna',
			customerName: 'Nordic Travel AB',
		},
	},
	output: { kind: 'record' },
};
