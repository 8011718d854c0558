import { fullCall } from '../support/body';
import { testOperation } from '../support/operation';

const ID = 'campaign-1';
const here = testOperation('campaign.update', {
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

test('does not send the optional fields of a row that were left alone', async () => {
	await here.run({
		campaignId: ID,
		rules: {
			benefits: {
				entry: [
					{ benefitType: '', type: 'percentage', amountCents: '', percentage: 10, maxDiscountAmount: '' },
				],
			},
		},
	});

	expect((await here.service.requests()).map(({ body: sent }) => sent)).toEqual([
		{ benefits: [{ type: 'percentage', percentage: 10 }] },
	]);
});
