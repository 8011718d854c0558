import { collection } from '../../../shared/operation/body';
import { dateTime, boolean, identifier, integer, string } from '../../../shared/operation/fields';
import { idInPath } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';
import { articleGroup } from '../../../shared/booking/records/articleGroup';

/** @see contract/openapi.yaml articleGroup.update */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update article group',
	description: 'Change a group of articles: its name, accounts, color, order or where it is shown',
	method: 'PUT',
	path: '/api/booking/v1/articlegroups/{id}',
	record: 'path',
	pathFields: [
		idInPath('id', 'int64', {
			displayName: 'Article Group ID',
			name: 'articleGroupId',
			placeholder: 'e.g. 100',
			description: 'ID of the article group to change',
		}),
	],
	body: {
		schema: 'ArticleGroup',
		identifiedBy: ['id'],
		sections: [
			collection('Update Fields', 'updateFields', [
				string('Name', 'name', { placeholder: 'e.g. Drinks' }),
				string('Color', 'color', { placeholder: 'e.g. #1565c0' }),
				integer('Color Index', 'colorIndex', { description: 'Number of the color in the palette' }),
				integer('Sort Order', 'sortOrder', { description: 'Place of the group in the order' }),
				boolean('Hidden', 'hidden', 'Whether the group is hidden'),
				boolean('Restaurants', 'isRestaurants', 'Whether the group is for restaurants'),
				boolean('One per Guest', 'onePerGuest', 'Whether each guest gets one article of the group'),
				boolean(
					'Not Relevant for Checkout',
					'notRelevantForCheckout',
					'Whether the checkout leaves the group out',
				),
				integer('Type', 'type', { description: 'A number. The documents do not say what the values mean.' }),
				string('Central ID', 'centralKey', {
					placeholder: 'e.g. group-102',
					description: "The service's field 'centralKey'",
				}),
				identifier('ID in Body', 'id', 'int64', {
					placeholder: 'e.g. 100',
					description: 'ID of the group, to send in the body as well',
				}),
				dateTime('Change Date', 'changeDate', { description: 'When the group was last changed' }),
			]),
			collection('Accounts', 'accounts', [
				integer('Account Number', 'accountNumber', { placeholder: 'e.g. 3000' }),
				string('Account for 25 % VAT', 'accountVat25', { placeholder: 'e.g. 3001' }),
				string('Account for 12 % VAT', 'accountVat12', { placeholder: 'e.g. 3002' }),
				string('Account for 6 % VAT', 'accountVat06', { placeholder: 'e.g. 3003' }),
				string('Account Without VAT', 'accountVat00', { placeholder: 'e.g. 3004' }),
				string('Account for Cost of Goods', 'accountCostOfGoods', { placeholder: 'e.g. 4000' }),
			]),
		],
		example: { name: 'Drinks', color: '#1565c0', sortOrder: 2, accountVat25: '3001', hidden: false },
	},
	output: articleGroup,
};
