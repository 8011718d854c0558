import { flag } from '../../../shared/fields';

/** Which messages a guest gets on a change or cancellation. */
export const confirmationFlags = [
	flag(
		'Disable All Messages',
		'disableAllConfirmationMessages',
		'Whether to send the guest no confirmation messages at all',
	),
	flag('Disable Email', 'disableEmailConfirmationMessage', 'Whether to send the guest no confirmation email'),
	flag('Disable SMS', 'disableSmsConfirmationMessage', 'Whether to send the guest no confirmation SMS'),
];
