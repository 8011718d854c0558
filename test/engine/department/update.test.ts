import { fullCall } from '../support/body';
import { testOperation } from '../support/operation';

const parameters = { departmentId: '1' };

testOperation('department.update', {
	path: () => ({ id: 1 }),
	smallest: () => ({
		parameters: { ...parameters, updateFields: { name: 'New name' } },
		body: { name: 'New name', id: 1 },
	}),
	fullest: () => fullCall('department.update', { id: 1 }, { parameters }),
});
