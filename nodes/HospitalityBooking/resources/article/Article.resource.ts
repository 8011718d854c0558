import type { Resource } from '../../../shared/operation/operation';
import { batchUpdate } from './batchUpdate.operation';

export const articleResource: Resource = {
	value: 'article',
	name: 'Article',
	description: 'What is sold: prices, names and attributes of dishes, drinks and services',
	operations: [batchUpdate],
};
