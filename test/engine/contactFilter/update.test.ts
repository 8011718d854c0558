import { fullCall } from '../support/body';
import { testOperation } from '../support/operation';

const parameters = { contactFilterId: '1' };

testOperation('contactFilter.update', {
	path: () => ({ id: 1 }),
	smallest: () => ({
		parameters: { ...parameters, updateFields: { name: 'New name' } },
		body: { name: 'New name', id: 1 },
	}),
	fullest: () => fullCall('contactFilter.update', { id: 1 }, { parameters }),
});
