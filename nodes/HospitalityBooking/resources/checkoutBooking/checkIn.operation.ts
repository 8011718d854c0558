import { collection, field, operation } from '../../../shared/operation/declare';
import { wordsAt } from '../../../shared/values/recordShape';
import { bookingRootId } from './checkout';

export const checkIn = operation('checkoutBooking.checkIn', {
	name: 'Check In',
	action: 'Check in booking',
	description: 'Check in a booking when its guests arrive. Returns the updated checkout booking.',
	pathFields: [bookingRootId],
	query: [
		collection('Additional Fields', 'additionalFields', [
			field('Cashier Name', 'cashierName', {
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
