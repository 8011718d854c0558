import { type Service, resourcesOf } from '../../shared/operation/operation';
import { authenticate } from './customer/authenticate.operation';
import { cancel as cancelSubscription } from './subscription/cancel.operation';
import { get as getSubscription } from './subscription/get.operation';

/** Everything that the node can do, in the order of the Resource list. */
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
	resources: resourcesOf({
		customer: ['Accounts of the payment service', authenticate],
		subscription: ['Plans that are charged regularly', getSubscription, cancelSubscription],
	}),
};
