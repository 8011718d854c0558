import type { Resource } from '../../../shared/operation/operation';
import { cancelToBeInvoiced } from './cancelToBeInvoiced.operation';
import { checkIn } from './checkIn.operation';
import { checkOut } from './checkOut.operation';

export const checkoutBookingResource: Resource = {
	value: 'checkoutBooking',
	name: 'Checkout Booking',
	description: 'Bookings as the checkout sees them: guests arrive, leave and are invoiced',
	operations: [cancelToBeInvoiced, checkIn, checkOut],
};
