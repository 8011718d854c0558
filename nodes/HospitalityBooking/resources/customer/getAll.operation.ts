import { operation } from '../../../shared/operation/declare';
import { field, filters } from '../../../shared/form/rows';
import { customers } from '../../../shared/booking/records';

export const getAll = operation('customer.getAll', {
	name: 'Get Many',
	action: 'Get many customers',
	description: 'List customers, all of them or those created or changed after a time',
	query: [
		filters(
			field('Changed After', 'changedFromUtc', {
				as: 'day',
				description:
					'Only customers created or changed after this time. UTC unless it has an offset.',
			}),
		),
	],
	output: customers,
});
