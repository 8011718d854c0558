import { fromFields, fullBody } from '../support/body';
import { testOperation } from '../support/operation';

const ID = 1;
const body = fullBody('contactFilter.update', { id: ID });
const layout = { updateFields: 'id name itemsString type items hidden'.split(' ') };

testOperation('contactFilter.update', {
	path: () => ({ id: ID }),
	smallest: () => ({
		parameters: { contactFilterId: String(ID), updateFields: { name: 'New name' } },
		body: { name: 'New name' },
	}),
	fullest: () => ({ parameters: { contactFilterId: String(ID), ...fromFields(body, layout) }, body }),
});
