import { operation } from '../../../shared/operation/contractFields';
import { webBookingInPath } from '../../../shared/booking/locators';
import { webBooking } from '../../../shared/booking/records/webBooking';
import { messages } from './messageFields';

export const cancel = operation('webBooking.cancel', {
	name: 'Cancel',
	action: 'Cancel web booking',
	description: 'Cancel a web booking. The guest gets confirmation messages unless they are disabled.',
	record: 'path',
	pathFields: [webBookingInPath],
	body: {
		sections: [messages],
	},
	output: webBooking,
});
