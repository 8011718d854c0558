import { operation } from '../../../shared/operation/declare';
import { field } from '../../../shared/form/rows';

/** The plan. The contract makes `Id` optional, but no subscription exists without one. */
export const planInBody = {
	sections: [
		field('Subscription Plan ID', 'Id', {
			as: 'text',
			namesRecord: true,
			description: 'The ID of the subscription plan',
		}),
	],
};

export const get = operation('subscription.get', {
	name: 'Get',
	action: 'Get subscription',
	description: 'Get a subscription with its charges and the dates of the last and next one',
	body: planInBody,
	statusWords: {
		404: ['The subscription plan is not registered', "Check 'Subscription Plan ID' of this item"],
	},
});
