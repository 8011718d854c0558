import { collection, field, operation, record, within } from '../../../shared/operation/declare';
import { customerLocator } from '../../../shared/booking/fields';
import { contactFields, contactInvoiceFields } from './contactFields';
import { fullCustomerFields } from '../fields/customerFields';

export const connectToCustomer = operation('contact.connectToCustomer', {
	name: 'Connect to Customer',
	action: 'Connect contact to customer',
	description: 'Create a connection between a contact (a person) and a customer (a company)',
	record: 'body.contactId',
	body: {
		sections: [
			record(
				field('Contact ID', 'contactId', {
					placeholder: 'e.g. 2071',
					description: 'ID of the contact to connect',
				}),
				field('Customer', 'customerId', { locator: customerLocator }),
			),
			collection('Connection', 'connection', [
				field('Connection ID', 'id', { placeholder: 'e.g. 88' }),
				field('Contact First Name', 'contactFirstName', { placeholder: 'e.g. Anna' }),
				field('Contact Last Name', 'contactLastName', { placeholder: 'e.g. Lind' }),
				field('Customer Friendly ID', 'customerFriendlyId', { placeholder: 'e.g. K-1042' }),
				field('Customer Name', 'customerName', { placeholder: 'e.g. Nordic Travel AB' }),
				field('Binary Flags', 'binaryFlags'),
			]),
			collection('Contact Details', 'contact', contactFields, {
				description: 'Data of the contact to send with the connection',
			}),
			collection('Contact Invoicing', 'contactInvoicing', contactInvoiceFields),
			collection(
				'Customer of the Contact',
				'contactCustomer',
				within('contact.customer', fullCustomerFields),
				{
					description: 'The customer named in the contact',
				},
			),
			collection('Customer Details', 'customer', within('customer', fullCustomerFields), {
				description: 'Data of the customer to send with the connection',
			}),
		],
	},
});
