import { collection } from '../../../shared/operation/body';
import { dateTime, boolean, string } from '../../../shared/operation/fields';
import type { Operation } from '../../../shared/operation/operation';
import { inQuery } from '../../../shared/operation/query';

/** @see contract/openapi.yaml contact.sendGuestMessage */
export const sendGuestMessage: Operation = {
	value: 'sendGuestMessage',
	name: 'Send Guest Message',
	action: 'Send guest message',
	description:
		"Send a message about a guest to the service's listener. The documents do not say what the service does with it.",
	method: 'POST',
	path: '/api/booking/v1/booking/contacts/GuestServiceBusListenerAction',
	record: 'body.properties.entityId',
	query: [
		inQuery('Additional Fields', 'queryFields', [
			string('Passcode', 'passcode', {
				typeOptions: { password: true },
				description: 'Passcode of the listener. Sent as a query parameter.',
			}),
		]),
	],
	body: {
		schema: 'GuestMessage',
		sections: [
			collection('Event', 'event', [
				string('Action', 'properties.action', {
					placeholder: 'e.g. updated',
					description: 'What happened',
				}),
				string('Entity', 'properties.entity', {
					placeholder: 'e.g. guest',
					description: 'The kind of thing it happened to',
				}),
				string('Entity ID', 'properties.entityId', { placeholder: 'e.g. 5f0c2a' }),
				string('Passcode in Body', 'passcode', {
					typeOptions: { password: true },
					description: 'Passcode of the listener, sent within the message',
				}),
			]),
			collection('Guest', 'guest', [
				string('Guest ID', 'message.id', { placeholder: 'e.g. 5f0c2a' }),
				string('Name', 'message.name', { placeholder: 'e.g. Anna Lind' }),
				string('Email', 'message.emailAddress', { placeholder: 'e.g. anna.lind@example.com' }),
				string('Mobile Number', 'message.msisdn', {
					placeholder: 'e.g. +46701234567',
					description: 'Mobile number with country code',
				}),
				string('Locale', 'message.locale', { placeholder: 'e.g. sv-SE' }),
				boolean(
					'Loyalty Enabled',
					'message.loyaltyEnabled',
					'Whether the guest takes part in the loyalty scheme',
				),
				string('Identifier', 'message.identifier', { placeholder: 'e.g. anna.lind@example.com' }),
				string('Container ID', 'message.containerId', { placeholder: 'e.g. guests-eu' }),
				string('System', 'message.system', {
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
