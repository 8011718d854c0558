import { testOperation } from '../support/operation';

testOperation('subscription.cancel', {
	smallest: ({ planId }) => ({ parameters: { id: planId }, body: { Id: planId } }),
	perItem: { id: '={{ $json.planId }}' },
});
