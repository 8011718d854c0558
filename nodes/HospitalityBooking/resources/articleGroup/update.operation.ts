import { collection, field, operation, recordId } from '../../../shared/operation/declare';

export const update = operation('articleGroup.update', {
	name: 'Update',
	action: 'Update article group',
	description: 'Change a group of articles: its name, accounts, color, order or where it is shown',
	pathFields: [recordId('Article Group', '100')],
	body: {
		identifiedBy: ['id'],
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name', { placeholder: 'e.g. Drinks' }),
				field('Color', 'color', { placeholder: 'e.g. #1565c0' }),
				field('Color Index', 'colorIndex', { description: 'Number of the color in the palette' }),
				field('Sort Order', 'sortOrder', { description: 'Position of the group in the sort order' }),
				field('Hidden', 'hidden', { description: 'Whether the group is hidden' }),
				field('Restaurants', 'isRestaurants', { description: 'Whether the group is for restaurants' }),
				field('One per Guest', 'onePerGuest', {
					description: 'Whether each guest gets one article of the group',
				}),
				field('Not Relevant for Checkout', 'notRelevantForCheckout', {
					description: 'Whether the checkout leaves the group out',
				}),
				field('Type', 'type'),
				field('Central ID', 'centralKey', {
					placeholder: 'e.g. group-102',
					description: "The service's field 'centralKey'",
				}),
				field('ID in Body', 'id', {
					placeholder: 'e.g. 100',
					description: 'ID of the group, also sent in the body',
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
			changeDate: 'changeDate',
			id: 'id',
		},
	},
});
