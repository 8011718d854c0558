import { collection, field, operation } from '../../../shared/operation/declare';
import { wordsAt } from '../../../shared/values/recordShape';

export const checkIn = operation('checkoutBooking.checkIn', {
	name: 'Check In',
	action: 'Check in booking',
	description: 'Check in a booking when its guests arrive. Returns the updated checkout booking.',
	pathFields: [
		field('Booking Root ID', 'bookingRootId', {
			placeholder: 'e.g. 10231',
			description:
				"The booking's number in the checkout, not its GUID. 'Get Many' of Web Booking with 'Output' set to 'Raw' returns it as bookingRootId in paymentEvents.",
		}),
	],
	query: [
		collection('Additional Fields', 'additionalFields', [
			field('Cashier Name', 'cashierName', {
				placeholder: 'e.g. Robin',
				description: 'Who checks the guests in. Sent as a query parameter.',
			}),
		]),
	],
	output: {
		simplified: {
			bookingNumber: 'bookingNumber',
			start: 'start',
			end: 'end',
			guests: 'guests',
			contactName: (booking) => wordsAt(booking, 'contactFirstName', 'contactLastName'),
			customerName: 'customerName',
			message: 'message',
			mustBeInvoiced: 'mustBeInvoiced',
			status: 'status',
			bookingRootId: 'bookingRootId',
		},
	},
});
