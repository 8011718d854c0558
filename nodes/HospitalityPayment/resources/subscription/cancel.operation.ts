import type { Operation } from '../../../shared/operation/operation';
import { planInBody } from './plan';

/** @see contract/openapi.yaml subscription.cancel */
export const cancel: Operation = {
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel subscription',
	description: 'Cancel a subscription and get it as it is then',
	method: 'PUT',
	path: '/subscriptions/',
	record: 'body.Id',
	body: planInBody,
	output: { kind: 'record', schema: 'CanceledSubscription' },
};
