import { fullCall } from '../support/body';
import { testOperation } from '../support/operation';

const parameters = { articleGroupId: '100' };

testOperation('articleGroup.update', {
	path: () => ({ id: 100 }),
	smallest: () => ({
		parameters: { ...parameters, updateFields: { name: 'New name' } },
		body: { name: 'New name', id: 100 },
	}),
	fullest: () => fullCall('articleGroup.update', { id: 100 }, { parameters }),
});
