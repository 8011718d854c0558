import { operation } from '../../../shared/operation/declare';
import { webBookings } from '../../../shared/booking/outputColumns';
import { messages } from './messageFields';
import { webBookingField } from './webBookingField';

export const cancel = operation('webBooking.cancel', {
	name: 'Cancel',
	action: 'Cancel booking and notify guest',
	description: 'Cancel a booking. The guest gets confirmation messages unless they are disabled.',
	pathFields: [webBookingField('id')],
	body: {
		sections: [messages],
	},
	output: webBookings,
});
