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
	],
});
