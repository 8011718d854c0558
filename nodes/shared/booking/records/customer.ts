import type { OutputShape } from '../recordShape';

/**
 * Customers as items.
 *
 * @see contract/openapi.yaml CustomerListItem
 */
export const customers: OutputShape = {
	kind: 'list',
	schema: 'CustomerListItem',
	simplified: {
		name: 'name',
		customerNumber: 'customerNumber',
		email: 'email',
		phone: 'phone',
		streetaddress: 'streetaddress',
		zipcode: 'zipcode',
		city: 'city',
		orgNr: 'orgNr',
		lastChangedUtc: 'lastChangedUtc',
		id: 'id',
	},
};
