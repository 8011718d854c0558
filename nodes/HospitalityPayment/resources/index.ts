import type { Service } from '../../shared/operation/operation';
import { authenticate } from './customer/authenticate.operation';
import { cancel as cancelSubscription } from './subscription/cancel.operation';
import { get as getSubscription } from './subscription/get.operation';

/** Everything that the node can do, in the order of the lists and of n8n's list of actions. */
export const paymentService: Service = {
	credential: 'hospitalityPaymentApi',
	addressField: 'Payment URL',
	statusWords: {
		401: [
			'The service rejected the session, and a new one too',
			"Check 'Customer ID', 'Password' and 'Send Token As' in the credential",
		],
		403: [
			'The customer is not allowed to do this',
			'Ask whoever runs the payment service for access',
		],
	},
	main: 'customer',
	resources: [
		{
			value: 'customer',
			name: 'Customer',
			description: 'Accounts of the payment service',
			operations: [authenticate],
			main: authenticate,
		},
		{
			value: 'subscription',
			name: 'Subscription',
			description: 'Plans that are charged regularly',
			operations: [getSubscription, cancelSubscription],
			main: getSubscription,
		},
	],
};
