import { fromFields, fullBody, under } from '../support/body';
import { testOperation } from '../support/operation';

const ID = 'campaign-1';
const body = fullBody('campaign.update', { campaignId: ID });
const layout = {
	updateFields: 'name displayName description campaignId startDate endDate id status'.split(' '),
	rules: [
		'requirements',
		'benefits',
		'maxNumberOfOutcomes',
		'availableTiers',
		'availableRewards',
		'availableVouchers',
	],
	marketing: ['imageMap', 'uploadImages', ...under('marketing', 'enabled imageMap uploadImages sortOrder')],
};
const json = ['requirements', 'uploadImages', 'marketing.uploadImages'];

const here = testOperation('campaign.update', {
	path: () => ({ id: ID }),
	smallest: () => ({
		parameters: { campaignId: ID, updateFields: { name: 'New name' } },
		body: { name: 'New name' },
	}),
	fullest: () => ({
		parameters: {
			campaignId: ID,
			...fromFields(body, layout, { json }),
			queryFields: { _: 1_700_000_000_000 },
		},
		body,
		query: { _: '1700000000000' },
	}),
	refuses: [
		[
			'an image without a name in a map',
			{ marketing: { imageMap: { entry: [{ name: '', value: 'x' }] } } },
			"'Image Map 1: Name' is empty",
		],
		[
			'requirements that are no list',
			{ rules: { requirements: '{"type": 1}' } },
			"'Requirements' is of another type",
		],
		['a path for an ID', { campaignId: '..' }, "'Campaign ID' must be a text, not '..'"],
	],
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
