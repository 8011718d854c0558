import type { Resource } from '../../../shared/operation/operation';
import { update } from './update.operation';

export const departmentResource: Resource = {
	value: 'department',
	name: 'Department',
	description: 'Parts of the business, such as restaurant, bar and spa',
	operations: [update],
};
