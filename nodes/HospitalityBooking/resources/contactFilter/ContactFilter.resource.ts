import type { Resource } from '../../../shared/operation/operation';
import { update } from './update.operation';

export const contactFilterResource: Resource = {
	value: 'contactFilter',
	name: 'Contact Filter',
	description: 'Filters that contacts can be sorted by, such as diets and interests',
	operations: [update],
};
