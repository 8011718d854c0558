import { type JsonObject, type StoredCredential, type WorkflowNode } from '../../harness/n8nClient.ts';
import { packageNode } from '../../harness/runner.ts';
import { bookingCredential } from '../../harness/sandbox.ts';
import type { Bench } from '../bench.ts';
import { BOOKINGS, RECIPIENTS, type ServiceFacts } from './service.ts';
import { bodyParameters, bodyText, filledForm, guidOf, itemWithFields } from './updatedFields.ts';

/** This package's node, and what people would use without it: n8n's HTTP Request node. */
export interface Sides<T> {
	ours: T;
	theirs: T;
}

/** What two nodes are asked to do with each item. */
export interface Job extends Sides<WorkflowNode> {
	name: string;
	/** How both get their values. */
	values: string;
	/** What an input item holds; `item` counts from 0. */
	itemOf: (item: number) => JsonObject;
	/** Most of the other node's time that ours may take. */
	target: number;
}

interface Surroundings extends Sides<StoredCredential> {
	/** Address of the service. */
	url: string;
	system: string;
}

/** Where n8n evaluates an expression for both, or for neither. */
const MOST_FOR_A_GET = 0.4;
const MOST_FOR_AN_UPDATE = 0.45;
/** Where the values are plain paths into the item, which this node reads itself. */
const MOST_FOR_A_GET_BY_PATH = 0.24;
const MOST_FOR_AN_UPDATE_BY_PATH = 0.08;

/**
 * The jobs, each set up on both sides as a person would do it, and so that both send the same call. The credentials are
 * made for this service: this package's, and n8n's own OAuth2 with client credentials.
 */
export async function createJobs(
	{ n8n, sandbox }: Bench,
	url: string,
	{ clientId, clientSecret, system }: ServiceFacts,
): Promise<[Job, ...Job[]]> {
	const ours = await n8n.client.createCredential(`Ours ${url}`, 'hospitalityBookingApi', {
		...bookingCredential(sandbox.info),
		baseUrl: url,
		authUrl: url,
	});
	const theirs = await n8n.client.createCredential(`Theirs ${url}`, 'oAuth2Api', {
		grantType: 'clientCredentials',
		accessTokenUrl: `${url}/connect/token`,
		clientId,
		clientSecret,
		scope: 'publicAPI',
		authentication: 'body',
	});
	const around = { url, system, ours, theirs };
	return [
		listBookings(around, 'values fixed', MOST_FOR_A_GET, ['2026-12-24T00:00:00Z', '2026-12-25T00:00:00Z']),
		listBookings(around, 'values from the item', MOST_FOR_A_GET_BY_PATH, [
			'={{ $json.from }}',
			'={{ $json.to }}',
		]),
		getRecipient(around),
		...updates(around),
	];
}

function listBookings(
	around: Surroundings,
	values: string,
	target: number,
	[startTime, endTime]: [string, string],
): Job {
	return {
		name: 'GET web bookings of a day',
		values,
		target,
		itemOf: (item) => ({ from: at(item), to: at(item + 1) }),
		ours: ourNode(around, {
			resource: 'webBooking',
			operation: 'getAll',
			getBy: 'bookingTime',
			startTime,
			endTime,
			include: ['includeContact'],
			returnAll: true,
			output: 'raw',
		}),
		theirs: httpRequest(around, {
			url: around.url + BOOKINGS,
			sendQuery: true,
			queryParameters: {
				parameters: [
					{ name: 'startTime', value: startTime },
					{ name: 'endTime', value: endTime },
					{ name: 'includeContact', value: 'true' },
				],
			},
			...systemHeader(around),
		}),
	};
}

function getRecipient(around: Surroundings): Job {
	return {
		name: 'GET a survey recipient',
		values: 'values from the item',
		target: MOST_FOR_A_GET_BY_PATH,
		itemOf: (item) => ({ id: guidOf(item) }),
		ours: ourNode(around, {
			resource: 'surveyRecipient',
			operation: 'getWithSurvey',
			surveyRecipientId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			output: 'raw',
		}),
		theirs: httpRequest(around, { url: `=${around.url}${RECIPIENTS}/{{ $json.id }}/WithSurvey` }),
	};
}

function updates(around: Surroundings): Job[] {
	const update = { resource: 'webBooking', operation: 'update', output: 'raw' };
	const put = {
		method: 'PUT',
		url: around.url + BOOKINGS,
		sendBody: true,
		contentType: 'json',
		...systemHeader(around),
	};
	const fixed = itemWithFields(1);
	const fixedJson = bodyText(({ name }) => JSON.stringify(fixed[name]));
	const itemJson = `=${bodyText(({ name }) =>
		typeof fixed[name] === 'string' ? `"{{ $json.${name} }}"` : `{{ $json.${name} }}`,
	)}`;
	const name = 'Update of 20 fields';
	const shared = { name, itemOf: itemWithFields, target: MOST_FOR_AN_UPDATE };
	return [
		{
			...shared,
			values: 'values fixed (form; JSON body)',
			ours: ourNode(around, { ...update, ...filledForm(({ name: field }) => fixed[field]) }),
			theirs: httpRequest(around, { ...put, specifyBody: 'json', jsonBody: fixedJson }),
		},
		{
			...shared,
			values: 'values from the item (form; body parameters)',
			target: MOST_FOR_AN_UPDATE_BY_PATH,
			ours: ourNode(around, {
				...update,
				...filledForm(({ name: field }) => `={{ $json.${field} }}`),
			}),
			theirs: httpRequest(around, {
				...put,
				specifyBody: 'keypair',
				bodyParameters: bodyParameters(({ name: field }) => `={{ $json.${field} }}`),
			}),
		},
		{
			...shared,
			values: 'values from the item (JSON on both sides)',
			ours: ourNode(around, { ...update, bodyMode: 'json', jsonBody: itemJson }),
			theirs: httpRequest(around, { ...put, specifyBody: 'json', jsonBody: itemJson }),
		},
	];
}

function ourNode({ ours }: Surroundings, parameters: JsonObject): WorkflowNode {
	return packageNode('hospitalityBooking', parameters, ours);
}

/** HTTP Request as the editor makes it today. */
function httpRequest({ theirs }: Surroundings, parameters: JsonObject): WorkflowNode {
	return {
		...packageNode('hospitalityBooking', {}, theirs),
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			authentication: 'genericCredentialType',
			genericAuthType: 'oAuth2Api',
			options: {},
			...parameters,
		},
	};
}

function systemHeader({ system }: Surroundings): JsonObject {
	return { sendHeaders: true, headerParameters: { parameters: [{ name: 'system', value: system }] } };
}

/** A day of its own for each item. */
function at(day: number): string {
	const date = new Date(Date.UTC(2026, 0, 1 + day));
	return `${date.toISOString().slice(0, -5)}Z`;
}
