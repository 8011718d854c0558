import { operation } from '../../../shared/operation/declare';
import { planInBody } from './plan';

export const get = operation('subscription.get', {
	name: 'Get',
	action: 'Get subscription',
	description: 'Get a subscription with its charges and the dates of the last and next one',
	body: planInBody,
	statusWords: {
		404: ['The subscription plan is not registered', "Check 'Subscription Plan ID' of this item"],
	},
});
