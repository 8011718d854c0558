import { articleGroupLocator } from '../../../shared/booking/locators';
import { timeAt } from '../../../shared/output/recordShape';
import { operation } from '../../../shared/operation/declare';
import { collection, field } from '../../../shared/form/rows';

export const update = operation('articleGroup.update', {
	name: 'Update',
	action: 'Update article group',
	description: 'Change a group of articles: its name, accounts, color, order or where it is shown',
	pathFields: [field('Article Group ID', 'id', { locator: articleGroupLocator })],
	body: {
		repeatsId: 'id',
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name'),
				field('Color', 'color'),
				field('Color Index', 'colorIndex', { description: 'Number of the color in the palette' }),
				field('Sort Order', 'sortOrder', {
					description: 'Position of the group in the sort order',
				}),
				field('Hidden', 'hidden', { description: 'Whether the group is hidden' }),
				field('Restaurants', 'isRestaurants', {
					description: 'Whether the group is for restaurants',
				}),
				field('One per Guest', 'onePerGuest', {
					description: 'Whether each guest gets one article of the group',
				}),
				field('Not Relevant for Checkout', 'notRelevantForCheckout', {
					description: 'Whether the checkout leaves the group out',
				}),
				field('Type', 'type'),
				field('Central ID', 'centralKey', { description: "The service's field 'centralKey'" }),
				field('Change Date', 'changeDate', { description: 'When the group was last changed' }),
			]),
			collection('Accounts', 'accounts', [
				field('Account Number', 'accountNumber'),
				field('Account for 25 % VAT', 'accountVat25'),
				field('Account for 12 % VAT', 'accountVat12'),
				field('Account for 6 % VAT', 'accountVat06'),
				field('Account Without VAT', 'accountVat00'),
				field('Account for Cost of Goods', 'accountCostOfGoods'),
			]),
		],
	},
	output: {
		simplified: {
			name: 'name',
			type: 'type',
			sortOrder: 'sortOrder',
			color: 'color',
			accountNumber: 'accountNumber',
			hidden: 'hidden',
			onePerGuest: 'onePerGuest',
			notRelevantForCheckout: 'notRelevantForCheckout',
			changeDate: timeAt('changeDate'),
			id: 'id',
		},
	},
});
