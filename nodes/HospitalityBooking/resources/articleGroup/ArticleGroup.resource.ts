import type { Resource } from '../../../shared/operation/operation';
import { update } from './update.operation';

export const articleGroupResource: Resource = {
	value: 'articleGroup',
	name: 'Article Group',
	description: 'Groups of articles with their accounts, such as drinks and menus',
	operations: [update],
};
