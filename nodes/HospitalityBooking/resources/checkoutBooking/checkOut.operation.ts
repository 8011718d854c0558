import { collection, field, operation, record } from '../../../shared/operation/declare';
import { checkoutResult, failOnValidationErrors } from './validation';

export const checkOut = operation('checkoutBooking.checkOut', {
	name: 'Check Out',
	action: 'Check out booking',
	description: 'Check out a booking. Adds a payment of type invoice, which marks the booking for invoicing.',
	record: 'body.bookingRootId',
	body: {
		sections: [
			record(
				field('Booking Root ID', 'bookingRootId', {
					placeholder: 'e.g. 10231',
					description:
						"The booking's number in the checkout, not its GUID. 'Get Many' of Web Booking with 'Output' set to 'Raw' returns it as bookingRootId in paymentEvents.",
				}),
			),
			collection('Additional Fields', 'additionalFields', [
				field('Cashier Name', 'cashierName', {
					placeholder: 'e.g. Robin',
					description: 'Who checks the booking out',
				}),
				field('Table Article IDs', 'tableArticleIds', {
					placeholder: 'e.g. 501, 502',
					description: 'Only these tables of the booking',
					narrows: true,
				}),
			]),
		],
	},
	output: checkoutResult,
	postReceive: failOnValidationErrors,
});
