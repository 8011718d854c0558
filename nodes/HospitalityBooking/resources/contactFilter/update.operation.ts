import { collection, field, operation, recordId } from '../../../shared/operation/declare';

export const update = operation('contactFilter.update', {
	name: 'Update',
	action: 'Update contact filter',
	description: 'Change a filter for contacts: its name, its items or whether it is hidden',
	pathFields: [recordId('Contact Filter', '2')],
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
					description: 'The items as one text, as the service stores them',
				}),
				field('Type', 'type'),
				field('Hidden', 'hidden', { description: 'Whether the filter is hidden' }),
				field('ID in Body', 'id', {
					placeholder: 'e.g. 2',
					description: 'ID of the filter, also sent in the body',
				}),
			]),
		],
	},
});
