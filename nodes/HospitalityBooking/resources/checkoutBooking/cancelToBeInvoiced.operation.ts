import { identifier } from '../../../shared/operation/fields';
import type { Operation } from '../../../shared/operation/operation';
import { checkoutResult } from '../../../shared/booking/records/checkoutResult';
import { failOnValidationErrors } from './validation';

/** @see contract/openapi.yaml checkoutBooking.cancelToBeInvoiced */
export const cancelToBeInvoiced: Operation = {
	value: 'cancelToBeInvoiced',
	name: 'Cancel to Be Invoiced',
	action: 'Cancel booking to be invoiced',
	description: 'Cancel a booking that was created for invoicing, by the alias of its order',
	method: 'POST',
	path: '/api/booking/v1/booking/checkout/bookings/CancelBookingToBeInvoiced',
	record: 'query.alias',
	query: [
		{
			fields: [
				identifier('Alias', 'alias', 'text', {
					required: true,
					placeholder: 'e.g. order-2026-0815',
					description: 'Alias that the order was given when it was created. Sent as a query parameter.',
				}),
			],
		},
	],
	output: checkoutResult,
	postReceive: failOnValidationErrors,
};
