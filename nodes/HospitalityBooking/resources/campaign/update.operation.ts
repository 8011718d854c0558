import { collection } from '../../../shared/operation/body';
import { dateOrTime, boolean, identifier, integer, string } from '../../../shared/operation/fields';
import { json } from '../../../shared/operation/jsonField';
import { fixedCollection, stringMap } from '../../../shared/operation/rowFields';
import { idInPath } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';
import { campaign } from '../../../shared/booking/records/campaign';
import { inQuery } from '../../../shared/operation/query';
import { benefits, requirements, uploadImages } from './examples';

/** @see contract/openapi.yaml campaign.update */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update campaign',
	description: 'Change a campaign: its name, period, requirements, benefits, images and how it is marketed',
	method: 'PUT',
	path: '/api/booking/v1/Campaign/{id}',
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
				integer('Underscore (_)', '_', {
					description: "The query parameter '_', a whole number. The documents do not say what it means.",
				}),
			],
			'Add Query Parameter',
		),
	],
	body: {
		schema: 'Campaign',
		identifiedBy: ['id', 'campaignId'],
		sections: [
			collection('Update Fields', 'updateFields', [
				string('Name', 'name', { placeholder: 'e.g. Early bird dinner' }),
				string('Display Name', 'displayName', {
					placeholder: 'e.g. Early bird',
					description: 'The name that guests see',
				}),
				string('Description', 'description', { placeholder: 'e.g. 10 % off before six' }),
				integer('Status', 'status', {
					description: 'A number. The documents do not say what the values mean.',
				}),
				dateOrTime('Start Date', 'startDate', { description: 'When the campaign begins' }),
				dateOrTime('End Date', 'endDate', { description: 'When the campaign is over' }),
				string('Campaign ID in Body', 'campaignId', {
					placeholder: 'e.g. campaign-1',
					description: 'ID of the campaign, to send in the body as well',
				}),
				identifier('Number', 'id', 'int64', {
					placeholder: 'e.g. 1',
					description: "The service's field 'id', a whole number",
				}),
			]),
			collection('Rules', 'rules', [
				json('Requirements', 'requirements', requirements, {
					typeOptions: { rows: 12 },
					description:
						'What has to be fulfilled for the campaign to apply: a list of objects with codes, customers, week days, times, groups of articles, amounts and tiers',
				}),
				fixedCollection(
					'Benefits',
					'benefits',
					'Benefit',
					[
						integer('Benefit Type', 'benefitType', {
							description: 'A number. The documents do not say what the values mean.',
						}),
						string('Type', 'type', { placeholder: 'e.g. percentage' }),
						integer('Amount (Cents)', 'amountCents'),
						integer('Percentage', 'percentage'),
						integer('Max Discount Amount', 'maxDiscountAmount'),
					],
					{ description: 'What the campaign gives' },
				),
				choices('Available Tiers', 'availableTiers', 'Tier'),
				choices('Available Rewards', 'availableRewards', 'Reward'),
				choices('Available Vouchers', 'availableVouchers', 'Voucher'),
				integer('Max Number of Outcomes', 'maxNumberOfOutcomes', {
					description: 'The most outcomes the campaign can have',
				}),
			]),
			collection('Images and Marketing', 'marketing', [
				boolean('Marketing Enabled', 'marketing.enabled', 'Whether the campaign is shown to guests'),
				integer('Marketing Sort Order', 'marketing.sortOrder', {
					description: 'Place of the campaign in the order',
				}),
				stringMap('Marketing Image Map', 'marketing.imageMap', 'Image', {
					description: 'Addresses of the images for marketing, by the name of their use',
				}),
				json('Marketing Images to Upload', 'marketing.uploadImages', uploadImages, {
					description: 'New images for marketing: a list of objects with file name, data, tags and cuts',
				}),
				stringMap('Image Map', 'imageMap', 'Image', {
					description: 'Addresses of the images, by the name of their use',
				}),
				json('Images to Upload', 'uploadImages', uploadImages, {
					description: 'New images: a list of objects with file name, data, tags and cuts',
				}),
			]),
		],
		example: {
			name: 'Early bird dinner',
			startDate: '2026-12-01T00:00:00+01:00',
			endDate: '2026-12-31T23:59:59+01:00',
			requirements,
			benefits,
			marketing: { enabled: true, sortOrder: 1 },
		},
	},
	output: campaign,
};

function choices(displayName: string, at: string, entryName: string) {
	return fixedCollection(displayName, at, entryName, [
		string('ID', 'id', { placeholder: 'e.g. gold' }),
		string('Name', 'name', { placeholder: 'e.g. Gold' }),
	]);
}
