import { collection, field } from '../../../shared/form/rows';

export const messages = collection('Messages', 'messages', [
	field('Disable All Messages', 'disableAllConfirmationMessages', {
		description: 'Whether to suppress all confirmation messages to the guest',
		mustNotBeEmpty: true,
	}),
	field('Disable Email', 'disableEmailConfirmationMessage', {
		description: 'Whether to suppress the confirmation email to the guest',
		mustNotBeEmpty: true,
	}),
	field('Disable SMS', 'disableSmsConfirmationMessage', {
		description: 'Whether to suppress the confirmation SMS to the guest',
		mustNotBeEmpty: true,
	}),
	field('Log Message', 'logMessage', { description: "Text for the booking's log" }),
]);
