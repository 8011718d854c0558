import type { Operation } from '../../../shared/operation/operation';
import { planInBody } from './plan';

/** @see contract/openapi.yaml subscription.get */
export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get subscription',
	description: 'Get a subscription with its charges and the dates of the last and next one',
	method: 'GET',
	path: '/subscriptions/',
	body: planInBody,
	output: { kind: 'record', schema: 'Subscription' },
	statusWords: {
		404: ['The subscription plan is not registered', "Check 'Subscription Plan ID' of this item"],
	},
};
