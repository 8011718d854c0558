import { collection, field, operation, within } from '../../../shared/operation/declare';

export const sendGuestMessage = operation('contact.sendGuestMessage', {
	name: 'Send Guest Message',
	action: 'Send guest message',
	description:
		"Send a message about a guest to the service's listener. The API does not specify what the service does with it.",
	record: 'body.properties.entityId',
	query: [
		collection('Additional Fields', 'queryFields', [
			field('Passcode', 'passcode', {
				typeOptions: { password: true },
				description: 'Passcode of the listener. Sent as a query parameter.',
			}),
		]),
	],
	body: {
		sections: [
			collection('Event', 'event', [
				field('Action', 'properties.action', { placeholder: 'e.g. updated', description: 'What happened' }),
				field('Entity', 'properties.entity', {
					placeholder: 'e.g. guest',
					description: 'What it happened to',
				}),
				field('Entity ID', 'properties.entityId', { placeholder: 'e.g. 5f0c2a' }),
				field('Passcode in Body', 'passcode', {
					typeOptions: { password: true },
					description: 'Passcode of the listener, sent within the message',
				}),
			]),
			collection(
				'Guest',
				'guest',
				within('message', [
					field('Guest ID', 'id', { placeholder: 'e.g. 5f0c2a' }),
					field('Name', 'name', { placeholder: 'e.g. Anna Lind' }),
					field('Email', 'emailAddress', { placeholder: 'e.g. anna.lind@example.com' }),
					field('Mobile Number', 'msisdn', {
						placeholder: 'e.g. +46701234567',
						description: 'Mobile number with country code',
					}),
					field('Locale', 'locale', { placeholder: 'e.g. sv-SE' }),
					field('Loyalty Enabled', 'loyaltyEnabled', {
						description: 'Whether the guest takes part in the loyalty scheme',
					}),
					field('Identifier', 'identifier', { placeholder: 'e.g. anna.lind@example.com' }),
					field('Container ID', 'containerId', { placeholder: 'e.g. guests-eu' }),
					field('System', 'system', {
						placeholder: 'e.g. my-restaurant',
						description: "Name of the guest's system, sent within the message",
					}),
					field('Created', 'createdDate', { description: 'When the guest was created' }),
					field('Updated', 'updatedDate', { description: 'When the guest was last changed' }),
				]),
			),
		],
	},
});
