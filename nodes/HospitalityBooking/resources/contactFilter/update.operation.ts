import { operation } from '../../../shared/operation/declare';
import { collection, field, recordId } from '../../../shared/form/rows';

export const update = operation('contactFilter.update', {
	name: 'Update',
	action: 'Update contact filter',
	description: 'Change a filter for contacts: its name, its items or whether it is hidden',
	pathFields: [recordId('Contact Filter')],
	body: {
		repeatsId: 'id',
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name'),
				field('Items', 'items', { description: 'What can be selected in the filter' }),
				field('Items as Text', 'itemsString', {
					description: 'The items as one text, as the service stores them',
				}),
				field('Type', 'type'),
				field('Hidden', 'hidden', { description: 'Whether the filter is hidden' }),
			]),
		],
	},
});
