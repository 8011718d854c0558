import { type BodyPart, record } from '../../../shared/operation/body';
import { identifier } from '../../../shared/operation/fields';

/** The plan that is meant. The contract lets `Id` be left out, but there is no subscription without one. */
export const planInBody: BodyPart = {
	schema: 'SubscriptionRequest',
	sections: [
		record(
			identifier('Subscription Plan ID', 'Id', 'text', {
				placeholder: 'e.g. plan-1001',
				description: 'The ID of the subscription plan',
			}),
		),
	],
	example: { Id: 'plan-1001' },
};
