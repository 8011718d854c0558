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
		id: 'id',
		name: 'name',
		customerNumber: 'customerNumber',
		orgNr: 'orgNr',
		email: 'email',
		phone: 'phone',
		streetaddress: 'streetaddress',
		zipcode: 'zipcode',
		city: 'city',
		lastChangedUtc: 'lastChangedUtc',
	},
};
