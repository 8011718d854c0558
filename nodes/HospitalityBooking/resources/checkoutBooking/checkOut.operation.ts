import { collection, record } from '../../../shared/operation/body';
import { identifier, integerList, narrowing, string } from '../../../shared/operation/fields';
import type { Operation } from '../../../shared/operation/operation';
import { checkoutResult } from '../../../shared/booking/records/checkoutResult';
import { failOnValidationErrors } from './validation';

/** @see contract/openapi.yaml checkoutBooking.checkOut */
export const checkOut: Operation = {
	value: 'checkOut',
	name: 'Check Out',
	action: 'Check out booking',
	description:
		'Check a booking out: adds a payment of type invoice, so that the booking is marked for invoicing',
	method: 'PUT',
	path: '/api/booking/v1/booking/checkout/bookings/CheckOut',
	record: 'body.bookingRootId',
	body: {
		schema: 'CheckOutRequest',
		sections: [
			record(
				identifier('Booking Root ID', 'bookingRootId', 'int64', {
					placeholder: 'e.g. 10231',
					description:
						"Number that the booking has in the checkout, not its GUID. 'Get Many' of Web Booking gives it with 'Output' set to 'Raw': bookingRootId in paymentEvents.",
				}),
			),
			collection('Additional Fields', 'additionalFields', [
				string('Cashier Name', 'cashierName', {
					placeholder: 'e.g. Robin',
					description: 'Who checks the booking out',
				}),
				narrowing(
					integerList('Table Article IDs', 'tableArticleIds', {
						placeholder: 'e.g. 501, 502',
						description: 'Only these tables of the booking',
					}),
				),
			]),
		],
		example: { bookingRootId: 10231, cashierName: 'Robin', tableArticleIds: [501, 502] },
	},
	output: checkoutResult,
	postReceive: failOnValidationErrors,
};
