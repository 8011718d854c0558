import { fromFields, fullBody } from '../support/body';
import { testOperation } from '../support/operation';

const ID = 1;
const body = fullBody('department.update', { id: ID });
const layout = { updateFields: 'id name hidden changeStatus'.split(' ') };

testOperation('department.update', {
	path: () => ({ id: ID }),
	smallest: () => ({
		parameters: { departmentId: String(ID), updateFields: { name: 'New name' } },
		body: { name: 'New name' },
	}),
	fullest: () => ({ parameters: { departmentId: String(ID), ...fromFields(body, layout) }, body }),
});
