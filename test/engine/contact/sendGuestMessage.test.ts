import { fromFields, fullBody, under } from '../support/body';
import { testOperation } from '../support/operation';

const body = fullBody('contact.sendGuestMessage');
const layout = {
	event: [...under('properties', 'action entityId entity'), 'passcode'],
	guest: under(
		'message',
		'containerId createdDate emailAddress id identifier locale loyaltyEnabled msisdn name system updatedDate',
	),
};

testOperation('contact.sendGuestMessage', {
	smallest: () => ({ parameters: {}, body: {} }),
	fullest: () => ({
		parameters: { ...fromFields(body, layout), queryFields: { passcode: 'pass code' } },
		query: { passcode: 'pass code' },
		body,
	}),
});
