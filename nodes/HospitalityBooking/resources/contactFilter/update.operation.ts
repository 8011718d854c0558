import { collection } from '../../../shared/operation/body';
import { boolean, identifier, integer, string, stringList } from '../../../shared/operation/fields';
import { idInPath } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';

/** @see contract/openapi.yaml contactFilter.update */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update contact filter',
	description: 'Change a filter that contacts can be sorted by: its name, its items or whether it is hidden',
	method: 'PUT',
	path: '/api/booking/v1/ContactFilters/{id}',
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
		schema: 'ContactFilter',
		identifiedBy: ['id'],
		sections: [
			collection('Update Fields', 'updateFields', [
				string('Name', 'name', { placeholder: 'e.g. Diet' }),
				stringList('Items', 'items', {
					placeholder: 'e.g. Vegetarian, Vegan',
					description: 'What can be selected in the filter',
				}),
				string('Items as Text', 'itemsString', {
					placeholder: 'e.g. Vegetarian;Vegan',
					description: 'The items as one text, as the service keeps them',
				}),
				integer('Type', 'type', { description: 'A number. The documents do not say what the values mean.' }),
				boolean('Hidden', 'hidden', 'Whether the filter is hidden'),
				identifier('ID in Body', 'id', 'int64', {
					placeholder: 'e.g. 2',
					description: 'ID of the filter, to send in the body as well',
				}),
			]),
		],
		example: { name: 'Diet', items: ['Vegetarian', 'Vegan', 'Gluten-free'], hidden: false },
	},
	output: { kind: 'record', schema: 'ContactFilter' },
};
