import { fullCall } from '../support/body';
import { byId, testOperation } from '../support/operation';

testOperation('contact.connectToCustomer', {
	smallest: () => ({
		parameters: { contactId: '1', customerId: byId(2) },
		body: { contactId: 1, customerId: 2 },
	}),
	fullest: () =>
		fullCall('contact.connectToCustomer', {
			...{ contactId: 3, 'contact.id': 3 },
			...{ customerId: 4, 'customer.id': 4 },
		}),
	perItem: { contactId: '={{ $json.contactId }}' },
});
