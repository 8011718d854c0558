import { collection } from '../../../shared/operation/body';
import { boolean, narrowing, string } from '../../../shared/operation/fields';

/** Which messages the guest gets on a change or cancellation, and what the log says. */
export const messages = collection('Messages', 'messages', [
	narrowing(
		boolean(
			'Disable All Messages',
			'disableAllConfirmationMessages',
			'Whether to send the guest no confirmation messages at all',
		),
	),
	narrowing(
		boolean(
			'Disable Email',
			'disableEmailConfirmationMessage',
			'Whether to send the guest no confirmation email',
		),
	),
	narrowing(
		boolean('Disable SMS', 'disableSmsConfirmationMessage', 'Whether to send the guest no confirmation SMS'),
	),
	string('Log Message', 'logMessage', {
		placeholder: 'e.g. Changed on the phone',
		description: "Text for the booking's log",
	}),
]);
