import { collection } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { idInPath } from '../../../shared/booking/locators';
import { campaign } from '../../../shared/booking/records/campaign';
import { inQuery } from '../../../shared/operation/query';

export const update = operation('campaign.update', {
	name: 'Update',
	action: 'Update campaign',
	description: 'Change a campaign: its name, period, requirements, benefits, images and how it is marketed',
	record: 'path',
	pathFields: [
		idInPath('id', 'text', {
			displayName: 'Campaign ID',
			name: 'campaignId',
			placeholder: 'e.g. campaign-1',
			description: 'ID of the campaign to change',
		}),
	],
	query: [
		inQuery(
			'Query Parameters',
			'queryFields',
			[
				field('Underscore (_)', '_', {
					as: 'number',
					description: "The query parameter '_', a whole number. The documents do not say what it means.",
				}),
			],
			'Add Query Parameter',
		),
	],
	body: {
		identifiedBy: ['id', 'campaignId'],
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name', { placeholder: 'e.g. Early bird dinner' }),
				field('Display Name', 'displayName', {
					placeholder: 'e.g. Early bird',
					description: 'The name that guests see',
				}),
				field('Description', 'description', { placeholder: 'e.g. 10 % off before six' }),
				field('Status', 'status', {
					description: 'A number. The documents do not say what the values mean.',
				}),
				field('Start Date', 'startDate', { as: 'day', description: 'When the campaign begins' }),
				field('End Date', 'endDate', { as: 'day', description: 'When the campaign is over' }),
				field('Campaign ID in Body', 'campaignId', {
					placeholder: 'e.g. campaign-1',
					description: 'ID of the campaign, to send in the body as well',
				}),
				field('Number', 'id', {
					placeholder: 'e.g. 1',
					description: "The service's field 'id', a whole number",
				}),
			]),
			collection('Rules', 'rules', [
				field('Requirements', 'requirements', {
					isJson: true,
					typeOptions: { rows: 12 },
					description:
						'What has to be fulfilled for the campaign to apply: a list of objects with codes, customers, week days, times, groups of articles, amounts and tiers',
				}),
				field('Benefits', 'benefits', {
					entry: 'Benefit',
					entries: [
						field('Benefit Type', 'benefitType', {
							description: 'A number. The documents do not say what the values mean.',
						}),
						field('Type', 'type', { placeholder: 'e.g. percentage' }),
						field('Amount (Cents)', 'amountCents'),
						field('Percentage', 'percentage'),
						field('Max Discount Amount', 'maxDiscountAmount'),
					],
					description: 'What the campaign gives',
				}),
				choices('Available Tiers', 'availableTiers', 'Tier'),
				choices('Available Rewards', 'availableRewards', 'Reward'),
				choices('Available Vouchers', 'availableVouchers', 'Voucher'),
				field('Max Number of Outcomes', 'maxNumberOfOutcomes', {
					description: 'The most outcomes the campaign can have',
				}),
			]),
			collection('Images and Marketing', 'marketing', [
				field('Marketing Enabled', 'marketing.enabled', {
					description: 'Whether the campaign is shown to guests',
				}),
				field('Marketing Sort Order', 'marketing.sortOrder', {
					description: 'Place of the campaign in the order',
				}),
				field('Marketing Image Map', 'marketing.imageMap', {
					entry: 'Image',
					description: 'Addresses of the images for marketing, by the name of their use',
				}),
				field('Marketing Images to Upload', 'marketing.uploadImages', {
					isJson: true,
					description: 'New images for marketing: a list of objects with file name, data, tags and cuts',
				}),
				field('Image Map', 'imageMap', {
					entry: 'Image',
					description: 'Addresses of the images, by the name of their use',
				}),
				field('Images to Upload', 'uploadImages', {
					isJson: true,
					description: 'New images: a list of objects with file name, data, tags and cuts',
				}),
			]),
		],
	},
	output: campaign,
});

function choices(displayName: string, at: string, entryName: string) {
	return field(displayName, at, {
		entry: entryName,
		entries: [
			field('ID', 'id', { placeholder: 'e.g. gold' }),
			field('Name', 'name', { placeholder: 'e.g. Gold' }),
		],
	});
}
