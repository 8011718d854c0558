import { operation } from '../../../shared/operation/declare';
import { field, filters } from '../../../shared/form/rows';
import { customerAsPerson } from '../../../shared/booking/peopleSearch';
import { customers } from '../../../shared/booking/outputColumns';
import { listPeople, searchField } from '../fields/searchField';

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
			searchField("or a customer's ID, number or organization number"),
		),
	],
	output: customers,
	sendAll: async (item, request) => await listPeople(item, request, customerAsPerson),
});
