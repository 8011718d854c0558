import { collection } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { idInPath } from '../../../shared/booking/locators';

export const update = operation('department.update', {
	name: 'Update',
	action: 'Update department',
	description: 'Change the name of a department, or hide it',
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
		identifiedBy: ['id'],
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name', { placeholder: 'e.g. Restaurant' }),
				field('Hidden', 'hidden', { description: 'Whether the department is hidden' }),
				field('Change Status', 'changeStatus', {
					description: 'A number. The documents do not say what the values mean.',
				}),
				field('ID in Body', 'id', {
					placeholder: 'e.g. 3',
					description: 'ID of the department, to send in the body as well',
				}),
			]),
		],
	},
});
