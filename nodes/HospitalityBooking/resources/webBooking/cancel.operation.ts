import { operation } from '../../../shared/operation/declare';
import { field } from '../../../shared/form/rows';
import { webBookingLocator } from '../../../shared/booking/filterFields';
import { webBookings } from '../../../shared/booking/records';
import { messages } from './messageFields';

export const cancel = operation('webBooking.cancel', {
	name: 'Cancel',
	action: 'Cancel web booking',
	description:
		'Cancel a web booking. The guest gets confirmation messages unless they are disabled.',
	pathFields: [field('Web Booking', 'id', { as: 'guid', locator: webBookingLocator })],
	body: {
		sections: [messages],
	},
	output: webBookings,
});
