import { group } from '../../../shared/body';
import { dateTime, flag, text } from '../../../shared/fields';
import type { Operation } from '../../../shared/operation';
import { inQuery } from '../../../shared/query';

/** First document, 'Guest message listener'. */
export const sendGuestMessage: Operation = {
	value: 'sendGuestMessage',
	name: 'Send Guest Message',
	action: 'Send guest message',
	description:
		"Send a message about a guest to the service's listener. The documents do not say what the service does with it.",
	method: 'POST',
	path: '/api/booking/v1/booking/contacts/GuestServiceBusListenerAction',
	query: [
		inQuery('Additional Fields', 'queryFields', [
			text('Passcode', 'passcode', {
				typeOptions: { password: true },
				description: 'Passcode of the listener. Sent as a query parameter.',
			}),
		]),
	],
	body: {
		schema: 'GuestMessage',
		sections: [
			group('Event', 'event', [
				text('Action', 'properties.action', {
					placeholder: 'e.g. updated',
					description: 'What happened',
				}),
				text('Entity', 'properties.entity', {
					placeholder: 'e.g. guest',
					description: 'The kind of thing it happened to',
				}),
				text('Entity ID', 'properties.entityId', { placeholder: 'e.g. 5f0c2a' }),
				text('Passcode in Body', 'passcode', {
					typeOptions: { password: true },
					description: 'Passcode of the listener, sent within the message',
				}),
			]),
			group('Guest', 'guest', [
				text('Guest ID', 'message.id', { placeholder: 'e.g. 5f0c2a' }),
				text('Name', 'message.name', { placeholder: 'e.g. Anna Lind' }),
				text('Email', 'message.emailAddress', { placeholder: 'e.g. anna.lind@example.com' }),
				text('Mobile Number', 'message.msisdn', {
					placeholder: 'e.g. +46701234567',
					description: 'Mobile number with country code',
				}),
				text('Locale', 'message.locale', { placeholder: 'e.g. sv-SE' }),
				flag(
					'Loyalty Enabled',
					'message.loyaltyEnabled',
					'Whether the guest takes part in the loyalty scheme',
				),
				text('Identifier', 'message.identifier', { placeholder: 'e.g. anna.lind@example.com' }),
				text('Container ID', 'message.containerId', { placeholder: 'e.g. guests-eu' }),
				text('System', 'message.system', {
					placeholder: 'e.g. my-restaurant',
					description: 'Name of the system that the guest belongs to, within the message',
				}),
				dateTime('Created', 'message.createdDate', { description: 'When the guest was created' }),
				dateTime('Updated', 'message.updatedDate', { description: 'When the guest was last changed' }),
			]),
		],
		example: {
			properties: { action: 'updated', entity: 'guest', entityId: '5f0c2a' },
			message: {
				id: '5f0c2a',
				name: 'Anna Lind',
				emailAddress: 'anna.lind@example.com',
				msisdn: '+46701234567',
				locale: 'sv-SE',
				loyaltyEnabled: true,
				updatedDate: '2026-12-24T18:00:00+01:00',
			},
		},
	},
	output: { kind: 'record' },
};
