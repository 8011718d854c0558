import type { Resource } from '../../../shared/operation/operation';
import { authenticate } from './authenticate.operation';

export const customerResource: Resource = {
	value: 'customer',
	name: 'Customer',
	description: 'Accounts of the payment service',
	operations: [authenticate],
};
