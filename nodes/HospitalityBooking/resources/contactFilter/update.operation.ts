import { collection } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { idInPath } from '../../../shared/booking/locators';

export const update = operation('contactFilter.update', {
	name: 'Update',
	action: 'Update contact filter',
	description: 'Change a filter that contacts can be sorted by: its name, its items or whether it is hidden',
	record: 'path',
	pathFields: [
		idInPath('id', 'int64', {
			displayName: 'Contact Filter ID',
			name: 'contactFilterId',
			placeholder: 'e.g. 2',
			description: 'ID of the contact filter to change',
		}),
	],
	body: {
		identifiedBy: ['id'],
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name', { placeholder: 'e.g. Diet' }),
				field('Items', 'items', {
					placeholder: 'e.g. Vegetarian, Vegan',
					description: 'What can be selected in the filter',
				}),
				field('Items as Text', 'itemsString', {
					placeholder: 'e.g. Vegetarian;Vegan',
					description: 'The items as one text, as the service keeps them',
				}),
				field('Type', 'type', { description: 'A number. The documents do not say what the values mean.' }),
				field('Hidden', 'hidden', { description: 'Whether the filter is hidden' }),
				field('ID in Body', 'id', {
					placeholder: 'e.g. 2',
					description: 'ID of the filter, to send in the body as well',
				}),
			]),
		],
	},
});
