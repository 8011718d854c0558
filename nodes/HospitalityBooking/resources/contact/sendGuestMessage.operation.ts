import { operation } from '../../../shared/operation/declare';
import { collection, field, within } from '../../../shared/form/rows';

export const sendGuestMessage = operation('contact.sendGuestMessage', {
	name: 'Send to Guest Listener',
	action: 'Send message to guest listener',
	description:
		"Send a message about a guest to the service's guest message listener, not to the guest. The API does not specify what the service does with it.",
	recordPath: 'properties.entityId',
	query: [
		collection('Additional Fields', 'queryFields', [
			field('Passcode', 'passcode', {
				typeOptions: { password: true },
				description: 'Passcode of the listener. Sent as a query parameter.',
			}),
		]),
	],
	body: {
		notEnough: ['passcode'],
		sections: [
			collection('Event', 'event', [
				field('Action', 'properties.action', { description: 'What happened' }),
				field('Entity', 'properties.entity', { description: 'What it happened to' }),
				field('Entity ID', 'properties.entityId'),
				field('Passcode in Body', 'passcode', {
					typeOptions: { password: true },
					description: 'Passcode of the listener, sent within the message',
				}),
			]),
			collection(
				'Guest',
				'guest',
				within('message', [
					field('Guest ID', 'id'),
					field('Name', 'name'),
					field('Email', 'emailAddress'),
					field('Mobile Number', 'msisdn', { description: 'Mobile number with country code' }),
					field('Locale', 'locale'),
					field('Loyalty Enabled', 'loyaltyEnabled', {
						description: 'Whether the guest takes part in the loyalty scheme',
					}),
					field('Identifier', 'identifier'),
					field('Container ID', 'containerId'),
					field('System', 'system', {
						description: "Name of the guest's system, sent within the message",
					}),
					field('Created', 'createdDate', { description: 'When the guest was created' }),
					field('Updated', 'updatedDate', { description: 'When the guest was last changed' }),
				]),
			),
		],
	},
});
