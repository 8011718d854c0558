import { type OutputShape, wordsAt } from '../recordShape';

/** A checkout booking as an item (first document, 'CheckoutBooking'). */
export const checkoutBooking: OutputShape = {
	kind: 'record',
	schema: 'CheckoutBooking',
	simplified: {
		bookingNumber: 'bookingNumber',
		bookingRootId: 'bookingRootId',
		status: 'status',
		start: 'start',
		end: 'end',
		guests: 'guests',
		contactName: (booking) => wordsAt(booking, 'contactFirstName', 'contactLastName'),
		customerName: 'customerName',
		message: 'message',
		mustBeInvoiced: 'mustBeInvoiced',
	},
};
