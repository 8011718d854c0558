import { fullCall } from '../support/body';
import { byId, expressionOf, testOperation } from '../support/operation';

testOperation('contact.connectToCustomer', {
	smallest: () => ({
		parameters: { contactId: '1', customerId: byId(2) },
		body: { contactId: 1, customerId: 2 },
	}),
	fullest: () => fullCall('contact.connectToCustomer', { contactId: 3, customerId: 4 }),
	perItem: { contactId: '={{ $json.contactId }}' },
	refuses: [
		['a code that is not allowed', { connection: { binaryFlags: expressionOf(2) } }, "'Binary Flags'"],
		[
			'a filter ID that is too large',
			{ contact: { contactContactFilterData: { entry: [{ contactFilterId: '2147483648' }] } } },
			"'Contact Filters 1: Contact Filter ID' is 2147483648",
		],
	],
});
