import { group } from '../../../shared/body';
import { text } from '../../../shared/fields';
import { webBookingInPath } from '../../../shared/locators';
import type { Operation } from '../../../shared/operation';
import { webBooking } from '../../../shared/records/webBooking';
import { confirmationFlags } from './confirmationFlags';

/** First document, 'Cancel a web booking'. */
export const cancel: Operation = {
	value: 'cancel',
	name: 'Cancel',
	action: 'Cancel web booking',
	description: 'Cancel a web booking. The guest gets confirmation messages unless they are disabled.',
	method: 'POST',
	path: '/api/booking/v1/WebBooking/WebBookings/{id}/Cancel',
	pathFields: [webBookingInPath],
	body: {
		schema: 'WebBookingCancelSettings',
		sections: [
			group('Messages', 'messages', [
				...confirmationFlags,
				text('Log Message', 'logMessage', { description: "Text for the booking's log" }),
			]),
		],
		example: { logMessage: 'Canceled by the guest on the phone', disableSmsConfirmationMessage: true },
	},
	output: webBooking,
};
