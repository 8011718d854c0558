import { timeAt } from '../../../shared/output/recordShape';
import { operation } from '../../../shared/operation/declare';
import { collection, field, recordId } from '../../../shared/form/rows';

const IMAGES_HINT =
	'e.g. <code>[ { "image": "early-bird", "imageUrl": "https://images.example.com/early-bird.jpg" } ]</code>';

export const update = operation('campaign.update', {
	name: 'Update',
	action: 'Update campaign',
	description:
		'Change a campaign: its name, period, requirements, benefits, images and how it is marketed',
	pathFields: [recordId('Campaign')],
	query: [
		collection(
			'Query Parameters',
			'queryFields',
			[
				field('Underscore (_)', '_', {
					as: 'integer',
					description:
						"The query parameter '_', a whole number. The API does not specify the meaning.",
				}),
			],
			{ placeholder: 'Add Query Parameter' },
		),
	],
	body: {
		notEnough: ['id', 'campaignId'],
		sameIds: { campaignId: 'path' },
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name'),
				field('Display Name', 'displayName', { description: 'The name that guests see' }),
				field('Description', 'description'),
				field('Status', 'status'),
				field('Start Date', 'startDate', {
					as: 'day',
					description: 'When the campaign begins. A date alone is the start of that day.',
				}),
				field('End Date', 'endDate', {
					as: 'day',
					description: 'When the campaign is over. A date alone is the start of that day.',
				}),
				field('Campaign ID in Body', 'campaignId'),
				field('Number', 'id', { description: "The service's field 'id', a whole number" }),
			]),
			collection('Rules', 'rules', [
				field('Requirements', 'requirements', {
					as: 'json',
					hint: 'e.g. <code>[ { "requirementType": 1, "type": "code", "campaignCodeIds": [ "code-1" ] } ]</code>',
					typeOptions: { rows: 12 },
					description:
						'When the campaign applies: a list of objects with codes, customers, weekdays, times, articles, amounts and tiers',
				}),
				field('Benefits', 'benefits', {
					entry: 'Benefit',
					entries: [
						field('Benefit Type', 'benefitType'),
						field('Type', 'type'),
						field('Amount (Cents)', 'amountCents'),
						field('Percentage', 'percentage'),
						field('Max Discount Amount', 'maxDiscountAmount'),
					],
					description: 'What the campaign gives',
				}),
				choices('Available Tiers', 'availableTiers', 'Tier'),
				choices('Available Rewards', 'availableRewards', 'Reward'),
				choices('Available Vouchers', 'availableVouchers', 'Voucher'),
				field('Max Number of Outcomes', 'maxNumberOfOutcomes'),
			]),
			collection('Images and Marketing', 'marketing', [
				field('Marketing Enabled', 'marketing.enabled', {
					description: 'Whether the campaign is shown to guests',
				}),
				field('Marketing Sort Order', 'marketing.sortOrder'),
				field('Marketing Image Map', 'marketing.imageMap', {
					entry: 'Image',
					description: 'URLs of the marketing images by purpose',
				}),
				field('Marketing Images to Upload', 'marketing.uploadImages', {
					as: 'json',
					hint: IMAGES_HINT,
					description: 'New marketing images, as a list',
				}),
				field('Image Map', 'imageMap', {
					entry: 'Image',
					description: 'URLs of the images by purpose',
				}),
				field('Images to Upload', 'uploadImages', {
					as: 'json',
					hint: IMAGES_HINT,
					description: 'New images, as a list',
				}),
			]),
		],
	},
	output: {
		simplified: {
			name: 'name',
			displayName: 'displayName',
			description: 'description',
			startDate: timeAt('startDate'),
			endDate: timeAt('endDate'),
			status: 'status',
			marketingEnabled: 'marketing.enabled',
			maxNumberOfOutcomes: 'maxNumberOfOutcomes',
			campaignId: 'campaignId',
			id: 'id',
		},
	},
});

function choices(displayName: string, at: string, entryName: string) {
	return field(displayName, at, {
		entry: entryName,
		entries: [field('ID', 'id'), field('Name', 'name')],
	});
}
