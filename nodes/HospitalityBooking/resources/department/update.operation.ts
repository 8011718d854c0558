import { operation } from '../../../shared/operation/declare';
import { collection, field, recordId } from '../../../shared/form/rows';

export const update = operation('department.update', {
	name: 'Update',
	action: 'Update department',
	description: 'Change the name of a department, or hide it',
	pathFields: [recordId('Department')],
	body: {
		repeatsId: 'id',
		sections: [
			collection('Update Fields', 'updateFields', [
				field('Name', 'name'),
				field('Hidden', 'hidden', { description: 'Whether the department is hidden' }),
				field('Change Status', 'changeStatus'),
			]),
		],
	},
});
