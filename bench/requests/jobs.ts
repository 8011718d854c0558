import { type JsonObject, type WorkflowNode } from '../../dev/n8nClient.ts';
import { packageNode } from '../../dev/runner.ts';
import { bookingCredential } from '../../dev/sandbox.ts';
import type { Bench } from '../bench.ts';
import { BOOKINGS, RECIPIENTS } from './service.ts';
import { bodyParameters, bodyText, filledForm, guidOf, itemWithFields } from './updatedFields.ts';

/** This package's node, and what people would use without it: n8n's HTTP Request node. */
export interface Sides<T> {
	ours: T;
	theirs: T;
}

/** What two nodes are asked to do with each item. */
export interface Job extends Sides<WorkflowNode> {
	/** What is done, and how both get their values. */
	name: string;
	/** What an input item holds; `item` counts from 0. */
	itemOf: (item: number) => JsonObject;
	/** Most of the other node's time that ours may take. */
	most: number;
}

/**
 * The jobs, each set up on both sides as a person would do it, and so that both send the same call. The credentials are
 * made for this service: this package's, and n8n's own OAuth2 with client credentials.
 */
export async function createJobs({ n8n, sandbox }: Bench, url: string): Promise<[Job, ...Job[]]> {
	const { clientId, clientSecret, system } = sandbox.info;
	const ownCredential = await n8n.client.createCredential(`Ours ${url}`, 'hospitalityBookingApi', {
		...bookingCredential(sandbox.info),
		baseUrl: url,
		authUrl: url,
	});
	const theirCredential = await n8n.client.createCredential(`Theirs ${url}`, 'oAuth2Api', {
		grantType: 'clientCredentials',
		accessTokenUrl: `${url}/connect/token`,
		clientId,
		clientSecret,
		scope: 'publicAPI',
		authentication: 'body',
	});
	const ours = (operation: string, parameters: JsonObject) => {
		const [resource, name] = operation.split('.');
		const all = { resource, operation: name, output: 'raw', ...parameters };
		return packageNode('hospitalityBooking', all, ownCredential);
	};
	/** HTTP Request as the editor makes it today. */
	const theirs = (parameters: JsonObject): WorkflowNode => ({
		...packageNode('', {}, theirCredential),
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'oAuth2Api',
			url: url + BOOKINGS,
			sendHeaders: true,
			headerParameters: { parameters: [{ name: 'system', value: system }] },
			options: {},
			...parameters,
		},
	});

	const list = (startTime: string, endTime: string) => ({
		itemOf: (item: number) => ({ from: dayAt(item), to: dayAt(item + 1) }),
		ours: ours('webBooking.getAll', {
			...{ getBy: 'period', startTime, endTime, include: ['includeContact'], returnAll: true },
		}),
		theirs: theirs({
			sendQuery: true,
			queryParameters: {
				parameters: Object.entries({ startTime, endTime, includeContact: 'true' }).map(([name, value]) => ({
					name,
					value,
				})),
			},
		}),
	});
	const update = (form: JsonObject, body: JsonObject) => ({
		itemOf: itemWithFields,
		ours: ours('webBooking.update', form),
		theirs: theirs({ method: 'PUT', sendBody: true, contentType: 'json', specifyBody: 'json', ...body }),
	});
	const fixed = itemWithFields(1);
	const fromItem = (name: string) => `={{ $json.${name} }}`;
	const itemJson = `=${bodyText((name) => (typeof fixed[name] === 'string' ? `"{{ $json.${name} }}"` : `{{ $json.${name} }}`))}`;

	// Where n8n evaluates an expression for both, or for neither, ours may take more than where the values are plain paths into
	// the item, which this node reads itself.
	return [
		{
			name: 'GET web bookings of a day, values fixed',
			most: 0.4,
			...list('2026-12-24T00:00:00Z', '2026-12-25T00:00:00Z'),
		},
		{
			name: 'GET web bookings of a day, values from the item',
			most: 0.24,
			...list(fromItem('from'), fromItem('to')),
		},
		{
			name: 'GET a survey recipient, values from the item',
			most: 0.24,
			itemOf: (item) => ({ id: guidOf(item) }),
			ours: ours('surveyRecipient.getWithSurvey', {
				surveyRecipientId: { __rl: true, mode: 'id', value: fromItem('id') },
			}),
			theirs: theirs({ url: `=${url}${RECIPIENTS}/{{ $json.id }}/WithSurvey`, sendHeaders: false }),
		},
		{
			name: 'Update of 20 fields, values fixed (form; JSON body)',
			most: 0.45,
			...update(
				filledForm((name) => fixed[name]),
				{ jsonBody: bodyText((name) => JSON.stringify(fixed[name])) },
			),
		},
		{
			name: 'Update of 20 fields, values from the item (form; body parameters)',
			most: 0.08,
			...update(filledForm(fromItem), { specifyBody: 'keypair', bodyParameters: bodyParameters(fromItem) }),
		},
		{
			name: 'Update of 20 fields, values from the item (JSON on both sides)',
			most: 0.45,
			...update({ bodyMode: 'json', jsonBody: itemJson }, { jsonBody: itemJson }),
		},
	];
}

/** A day of its own for each item. */
function dayAt(day: number): string {
	return `${new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, -5)}Z`;
}
