import { field, record } from '../../../shared/operation/declare';

/** The plan that is meant. The contract lets `Id` be left out, but there is no subscription without one. */
export const planInBody = {
	sections: [
		record(
			field('Subscription Plan ID', 'Id', {
				as: 'text',
				description: 'The ID of the subscription plan',
			}),
		),
	],
};
