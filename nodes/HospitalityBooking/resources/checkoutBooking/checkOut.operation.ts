import { collection, record } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { checkoutResult } from '../../../shared/booking/records/checkoutResult';
import { failOnValidationErrors } from './validation';

export const checkOut = operation('checkoutBooking.checkOut', {
	name: 'Check Out',
	action: 'Check out booking',
	description:
		'Check a booking out: adds a payment of type invoice, so that the booking is marked for invoicing',
	record: 'body.bookingRootId',
	body: {
		sections: [
			record(
				field('Booking Root ID', 'bookingRootId', {
					placeholder: 'e.g. 10231',
					description:
						"Number that the booking has in the checkout, not its GUID. 'Get Many' of Web Booking gives it with 'Output' set to 'Raw': bookingRootId in paymentEvents.",
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
