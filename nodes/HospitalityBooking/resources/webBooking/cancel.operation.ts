import { webBookingInPath } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';
import { webBooking } from '../../../shared/booking/records/webBooking';
import { messages } from './messageFields';

/** @see contract/openapi.yaml webBooking.cancel */
export const cancel: Operation = {
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel web booking',
	description: 'Cancel a web booking. The guest gets confirmation messages unless they are disabled.',
	method: 'POST',
	path: '/api/booking/v1/WebBooking/WebBookings/{id}/Cancel',
	record: 'path',
	pathFields: [webBookingInPath],
	body: {
		schema: 'WebBookingCancelSettings',
		sections: [messages],
		example: { logMessage: 'Canceled by the guest on the phone', disableSmsConfirmationMessage: true },
	},
	output: webBooking,
};
