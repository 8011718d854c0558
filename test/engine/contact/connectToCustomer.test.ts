import { COMPANY, fromFields, fullBody, INVOICE_ADDRESS, under } from '../support/body';
import { byId, expressionOf, testOperation } from '../support/operation';

const CONTACT =
	'guestIdentifier fname lname title phone mobile fax email streetaddress zipcode city information lastUsed hidden allowStoringForever newsletter isAnonymized returning id tempId filterData fullname lastChangedUtc lastChangedBy binaryFlags contactFilterData';
const CONTACT_INVOICING =
	'customerId customerName orgNr customerCustomerNumber invoiceReference customerNumber invoicingPaymentTerms invoicingFee agreementLevel';
const CUSTOMER = `${COMPANY} ${INVOICE_ADDRESS} hidden ediNumber marking invoicingPaymentTerms invoicingFee binaryFlags`;

const body = fullBody('contact.connectToCustomer', { contactId: 3, customerId: 4 });
const layout = {
	'': ['contactId', 'customerId'],
	connection: 'id customerFriendlyId customerName contactFirstName contactLastName binaryFlags'.split(' '),
	contact: under('contact', CONTACT),
	contactInvoicing: under('contact', CONTACT_INVOICING),
	contactCustomer: under('contact.customer', CUSTOMER),
	customer: under('customer', CUSTOMER),
};

testOperation('contact.connectToCustomer', {
	smallest: () => ({
		parameters: { contactId: '1', customerId: byId(2) },
		body: { contactId: 1, customerId: 2 },
	}),
	fullest: () => ({
		parameters: fromFields(body, layout, { locators: { customerId: 'customerId' } }),
		body,
	}),
	perItem: { contactId: '={{ $json.contactId }}' },
	refuses: [
		['a code that is not allowed', { connection: { binaryFlags: expressionOf(2) } }, "'Binary Flags'"],
		[
			'a filter ID that is too large',
			{ contact: { contactContactFilterData: { entry: [{ contactFilterId: '2147483648' }] } } },
			"'Contact Filters 1: Contact Filter ID' is out of range: 2147483648",
		],
	],
});
