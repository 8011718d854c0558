import { collection } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { idInPath } from '../../../shared/booking/locators';
import { articleGroup } from '../../../shared/booking/records/articleGroup';

export const update = operation('articleGroup.update', {
	name: 'Update',
	action: 'Update article group',
	description: 'Change a group of articles: its name, accounts, color, order or where it is shown',
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
		identifiedBy: ['id'],
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name', { placeholder: 'e.g. Drinks' }),
				field('Color', 'color', { placeholder: 'e.g. #1565c0' }),
				field('Color Index', 'colorIndex', { description: 'Number of the color in the palette' }),
				field('Sort Order', 'sortOrder', { description: 'Place of the group in the order' }),
				field('Hidden', 'hidden', { description: 'Whether the group is hidden' }),
				field('Restaurants', 'isRestaurants', { description: 'Whether the group is for restaurants' }),
				field('One per Guest', 'onePerGuest', {
					description: 'Whether each guest gets one article of the group',
				}),
				field('Not Relevant for Checkout', 'notRelevantForCheckout', {
					description: 'Whether the checkout leaves the group out',
				}),
				field('Type', 'type', { description: 'A number. The documents do not say what the values mean.' }),
				field('Central ID', 'centralKey', {
					placeholder: 'e.g. group-102',
					description: "The service's field 'centralKey'",
				}),
				field('ID in Body', 'id', {
					placeholder: 'e.g. 100',
					description: 'ID of the group, to send in the body as well',
				}),
				field('Change Date', 'changeDate', { description: 'When the group was last changed' }),
			]),
			collection('Accounts', 'accounts', [
				field('Account Number', 'accountNumber', { placeholder: 'e.g. 3000' }),
				field('Account for 25 % VAT', 'accountVat25', { placeholder: 'e.g. 3001' }),
				field('Account for 12 % VAT', 'accountVat12', { placeholder: 'e.g. 3002' }),
				field('Account for 6 % VAT', 'accountVat06', { placeholder: 'e.g. 3003' }),
				field('Account Without VAT', 'accountVat00', { placeholder: 'e.g. 3004' }),
				field('Account for Cost of Goods', 'accountCostOfGoods', { placeholder: 'e.g. 4000' }),
			]),
		],
	},
	output: articleGroup,
});
