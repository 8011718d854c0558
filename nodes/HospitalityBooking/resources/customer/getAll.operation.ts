import { dateOrTime, narrowing } from '../../../shared/operation/fields';
import type { Operation } from '../../../shared/operation/operation';
import { customers } from '../../../shared/booking/records/customer';
import { filters } from '../../../shared/operation/query';

/** @see contract/openapi.yaml customer.getAll */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many customers',
	description: 'List customers, all of them or those created or changed after a time',
	method: 'GET',
	path: '/api/booking/v1/booking/customers',
	query: [
		filters(
			narrowing(
				dateOrTime('Changed After', 'changedFromUtc', {
					description: 'Only customers created or changed after this time',
				}),
			),
		),
	],
	output: customers,
};
