import { fromFields, fullBody } from '../support/body';
import { testOperation } from '../support/operation';

const ID = 100;
const body = fullBody('articleGroup.update', { id: ID });
const layout = {
	updateFields: [
		...'name color centralKey sortOrder colorIndex hidden isRestaurants onePerGuest'.split(' '),
		...'notRelevantForCheckout id type changeDate'.split(' '),
	],
	accounts: 'accountVat25 accountVat12 accountVat06 accountVat00 accountCostOfGoods accountNumber'.split(' '),
};

testOperation('articleGroup.update', {
	path: () => ({ id: ID }),
	smallest: () => ({
		parameters: { articleGroupId: String(ID), updateFields: { name: 'New name' } },
		body: { name: 'New name' },
	}),
	fullest: () => ({ parameters: { articleGroupId: String(ID), ...fromFields(body, layout) }, body }),
});
