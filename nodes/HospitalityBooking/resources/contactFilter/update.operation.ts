import { group } from '../../../shared/body';
import { flag, identifier, integer, text, textList } from '../../../shared/fields';
import { idInPath } from '../../../shared/locators';
import type { Operation } from '../../../shared/operation';
import { renameExample } from '../fields/renameExample';

/** First document, 'Update a contact filter'. */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update contact filter',
	description: 'Change a filter that contacts can be sorted by: its name, its items or whether it is hidden',
	method: 'PUT',
	path: '/api/booking/v1/ContactFilters/{id}',
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
		sections: [
			group('Update Fields', 'updateFields', [
				text('Name', 'name', { placeholder: 'e.g. Diet' }),
				textList('Items', 'items', {
					placeholder: 'e.g. Vegetarian, Vegan',
					description: 'What can be selected in the filter',
				}),
				text('Items as Text', 'itemsString', {
					placeholder: 'e.g. Vegetarian;Vegan',
					description: 'The items as one text, as the service keeps them',
				}),
				integer('Type', 'type', { description: 'A number. The documents do not say what the values mean.' }),
				flag('Hidden', 'hidden', 'Whether the filter is hidden'),
				identifier('ID in Body', 'id', 'int64', {
					placeholder: 'e.g. 2',
					description: 'ID of the filter, to send in the body as well',
				}),
			]),
		],
		example: renameExample,
	},
	output: { kind: 'record', schema: 'ContactFilter' },
};
