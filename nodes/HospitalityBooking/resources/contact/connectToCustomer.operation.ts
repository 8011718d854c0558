import { collection, record } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { customerLocator } from '../../../shared/booking/locators';
import { contactFields, contactInvoiceFields } from './contactFields';
import { fullCustomerFields } from './fullCustomerFields';

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
				field(customerLocator.displayName, 'customerId', { locator: customerLocator }),
			),
			collection('Connection', 'connection', [
				field('Connection ID', 'id', { placeholder: 'e.g. 88' }),
				field('Contact First Name', 'contactFirstName', { placeholder: 'e.g. Anna' }),
				field('Contact Last Name', 'contactLastName', { placeholder: 'e.g. Lind' }),
				field('Customer Friendly ID', 'customerFriendlyId', { placeholder: 'e.g. K-1042' }),
				field('Customer Name', 'customerName', { placeholder: 'e.g. Nordic Travel AB' }),
				field('Binary Flags', 'binaryFlags', {
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
	},
});
