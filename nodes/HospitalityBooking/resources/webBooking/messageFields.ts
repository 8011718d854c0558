import { group } from '../../../shared/body';
import { flag, text } from '../../../shared/fields';

/** Which messages the guest gets on a change or cancellation, and what the log says. */
export const messages = group('Messages', 'messages', [
	flag(
		'Disable All Messages',
		'disableAllConfirmationMessages',
		'Whether to send the guest no confirmation messages at all',
	),
	flag('Disable Email', 'disableEmailConfirmationMessage', 'Whether to send the guest no confirmation email'),
	flag('Disable SMS', 'disableSmsConfirmationMessage', 'Whether to send the guest no confirmation SMS'),
	text('Log Message', 'logMessage', {
		placeholder: 'e.g. Changed on the phone',
		description: "Text for the booking's log",
	}),
]);
