import type { Resource } from '../../../shared/operation/operation';
import { getAll } from './getAll.operation';

export const customerResource: Resource = {
	value: 'customer',
	name: 'Customer',
	description: 'Companies and people that bookings are made for and invoiced to',
	operations: [getAll],
};
