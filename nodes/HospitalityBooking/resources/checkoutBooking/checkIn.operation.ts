import { operation } from '../../../shared/operation/declare';
import { collection, field } from '../../../shared/form/rows';
import { messageAt, timeAt } from '../../../shared/output/recordShape';
import { bookingRootId } from './checkout';

export const checkIn = operation('checkoutBooking.checkIn', {
	name: 'Check In',
	action: 'Check in booking',
	description: 'Check in a booking when its guests arrive. Returns the updated checkout booking.',
	pathFields: [bookingRootId],
	query: [
		collection('Additional Fields', 'additionalFields', [
			field('Cashier Name', 'cashierName', {
				description: 'Who checks the guests in',
			}),
		]),
	],
	output: {
		id: 'bookingRootId',
		simplified: {
			bookingNumber: 'bookingNumber',
			start: timeAt('start'),
			end: timeAt('end'),
			guests: 'guests',
			guestName: (booking) => booking.wordsAt('contactFirstName', 'contactLastName'),
			customerName: 'customerName',
			message: messageAt('message'),
			mustBeInvoiced: 'mustBeInvoiced',
			status: 'status',
			bookingRootId: 'bookingRootId',
		},
	},
});
