import { collection } from '../../../shared/operation/body';
import { field, operation } from '../../../shared/operation/contractFields';
import { inQuery } from '../../../shared/operation/query';

export const sendGuestMessage = operation('contact.sendGuestMessage', {
	name: 'Send Guest Message',
	action: 'Send guest message',
	description:
		"Send a message about a guest to the service's listener. The documents do not say what the service does with it.",
	record: 'body.properties.entityId',
	query: [
		inQuery('Additional Fields', 'queryFields', [
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
					description: 'The kind of thing it happened to',
				}),
				field('Entity ID', 'properties.entityId', { placeholder: 'e.g. 5f0c2a' }),
				field('Passcode in Body', 'passcode', {
					typeOptions: { password: true },
					description: 'Passcode of the listener, sent within the message',
				}),
			]),
			collection('Guest', 'guest', [
				field('Guest ID', 'message.id', { placeholder: 'e.g. 5f0c2a' }),
				field('Name', 'message.name', { placeholder: 'e.g. Anna Lind' }),
				field('Email', 'message.emailAddress', { placeholder: 'e.g. anna.lind@example.com' }),
				field('Mobile Number', 'message.msisdn', {
					placeholder: 'e.g. +46701234567',
					description: 'Mobile number with country code',
				}),
				field('Locale', 'message.locale', { placeholder: 'e.g. sv-SE' }),
				field('Loyalty Enabled', 'message.loyaltyEnabled', {
					description: 'Whether the guest takes part in the loyalty scheme',
				}),
				field('Identifier', 'message.identifier', { placeholder: 'e.g. anna.lind@example.com' }),
				field('Container ID', 'message.containerId', { placeholder: 'e.g. guests-eu' }),
				field('System', 'message.system', {
					placeholder: 'e.g. my-restaurant',
					description: 'Name of the system that the guest belongs to, within the message',
				}),
				field('Created', 'message.createdDate', { description: 'When the guest was created' }),
				field('Updated', 'message.updatedDate', { description: 'When the guest was last changed' }),
			]),
		],
	},
});
