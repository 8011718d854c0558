import { fullCall } from '../support/body';
import { testOperation } from '../support/operation';

testOperation('contact.sendGuestMessage', {
	smallest: () => ({
		parameters: { event: { propertiesAction: 'updated' } },
		body: { properties: { action: 'updated' } },
	}),
	fullest: () =>
		fullCall(
			'contact.sendGuestMessage',
			{},
			{ parameters: { queryFields: { passcode: 'pass code' } }, query: { passcode: 'pass code' } },
		),
});
