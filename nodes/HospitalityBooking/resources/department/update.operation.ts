import { collection } from '../../../shared/operation/body';
import { boolean, identifier, integer, string } from '../../../shared/operation/fields';
import { idInPath } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';

/** @see contract/openapi.yaml department.update */
export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update department',
	description: 'Change the name of a department, or hide it',
	method: 'PUT',
	path: '/api/booking/v1/departments/{id}',
	record: 'path',
	pathFields: [
		idInPath('id', 'int64', {
			displayName: 'Department ID',
			name: 'departmentId',
			placeholder: 'e.g. 3',
			description: 'ID of the department to change',
		}),
	],
	body: {
		schema: 'Department',
		identifiedBy: ['id'],
		sections: [
			collection('Update Fields', 'updateFields', [
				string('Name', 'name', { placeholder: 'e.g. Restaurant' }),
				boolean('Hidden', 'hidden', 'Whether the department is hidden'),
				integer('Change Status', 'changeStatus', {
					description: 'A number. The documents do not say what the values mean.',
				}),
				identifier('ID in Body', 'id', 'int64', {
					placeholder: 'e.g. 3',
					description: 'ID of the department, to send in the body as well',
				}),
			]),
		],
		example: { name: 'Harbour Restaurant', hidden: false },
	},
	output: { kind: 'record', schema: 'Department' },
};
