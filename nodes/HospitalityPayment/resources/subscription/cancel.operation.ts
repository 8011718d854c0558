import { operation } from '../../../shared/operation/declare';
import { planInBody } from './get.operation';

export const cancel = operation('subscription.cancel', {
	name: 'Cancel',
	action: 'Cancel subscription',
	description: 'Cancel a subscription and get its new state',
	body: planInBody,
});
