import type { Resource } from '../../../shared/operation/operation';
import { cancel } from './cancel.operation';
import { get } from './get.operation';

export const subscriptionResource: Resource = {
	value: 'subscription',
	name: 'Subscription',
	description: 'Plans that are charged regularly',
	operations: [cancel, get],
};
