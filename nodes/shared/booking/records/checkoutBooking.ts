import { type OutputShape, wordsAt } from '../recordShape';

/** A checkout booking as an item (first document, 'CheckoutBooking'). */
export const checkoutBooking: OutputShape = {
	kind: 'record',
	schema: 'CheckoutBooking',
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
};
