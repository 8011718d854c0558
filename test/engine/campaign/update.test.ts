import { fullCall } from '../support/body';
import { testOperation } from '../support/operation';

const ID = 'campaign-1';
testOperation('campaign.update', {
	path: () => ({ id: ID }),
	smallest: () => ({
		parameters: { campaignId: ID, updateFields: { name: 'New name' } },
		body: { name: 'New name' },
	}),
	fullest: () =>
		fullCall(
			'campaign.update',
			{ campaignId: ID },
			{
				parameters: { campaignId: ID, queryFields: { _: 1_700_000_000_000 } },
				query: { _: '1700000000000' },
			},
		),
});
