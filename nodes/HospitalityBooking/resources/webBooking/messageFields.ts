import { collection } from '../../../shared/operation/body';
import { boolean, narrowing, string } from '../../../shared/operation/fields';

/** Which messages the guest gets on a change or cancellation, and what the log says. */
export const messages = collection('Messages', 'messages', [
	narrowing(
		boolean(
			'Disable All Messages',
			'disableAllConfirmationMessages',
			'Whether to suppress all confirmation messages to the guest',
		),
	),
	narrowing(
		boolean(
			'Disable Email',
			'disableEmailConfirmationMessage',
			'Whether to suppress the confirmation email to the guest',
		),
	),
	narrowing(
		boolean(
			'Disable SMS',
			'disableSmsConfirmationMessage',
			'Whether to suppress the confirmation SMS to the guest',
		),
	),
	string('Log Message', 'logMessage', {
		placeholder: 'e.g. Changed on the phone',
		description: "Text for the booking's log",
	}),
]);
