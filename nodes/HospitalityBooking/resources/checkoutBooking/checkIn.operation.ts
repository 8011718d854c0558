import { field, operation } from '../../../shared/operation/contractFields';
import { idInPath } from '../../../shared/booking/locators';
import { checkoutBooking } from '../../../shared/booking/records/checkoutBooking';
import { inQuery } from '../../../shared/operation/query';

export const checkIn = operation('checkoutBooking.checkIn', {
	name: 'Check In',
	action: 'Check in booking',
	description: 'Check in a booking when its guests arrive. Returns the updated checkout booking.',
	record: 'path',
	pathFields: [
		idInPath('bookingRootId', 'int32', {
			displayName: 'Booking Root ID',
			name: 'bookingRootId',
			placeholder: 'e.g. 10231',
			description:
				"Number that the booking has in the checkout, not its GUID. 'Get Many' of Web Booking gives it with 'Output' set to 'Raw': bookingRootId in paymentEvents.",
		}),
	],
	query: [
		inQuery('Additional Fields', 'additionalFields', [
			field('Cashier Name', 'cashierName', {
				placeholder: 'e.g. Robin',
				description: 'Who checks the guests in. Sent as a query parameter.',
			}),
		]),
	],
	output: checkoutBooking,
});
