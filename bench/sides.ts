import type { JsonObject, StoredCredential, WorkflowNode } from '../harness/n8nClient.ts';
import { packageNode } from '../harness/runner.ts';
import { bookingCredential } from '../harness/sandbox.ts';
import type { Bench } from './bench.ts';
import type { ServiceFacts } from './requests/service.ts';

/** This package's node, and what people would use without it: n8n's HTTP Request node. */
export interface Sides<T> {
	ours: T;
	theirs: T;
}

/** @returns credentials for a service: this package's, and n8n's own OAuth2 with client credentials */
export async function createCredentials(
	{ n8n, sandbox }: Bench,
	url: string,
	{ clientId, clientSecret }: ServiceFacts,
): Promise<Sides<StoredCredential>> {
	return {
		ours: await n8n.client.createCredential(`Ours ${url}`, 'hospitalityBookingApi', {
			...bookingCredential(sandbox.info),
			baseUrl: url,
			authUrl: url,
		}),
		theirs: await n8n.client.createCredential(`Theirs ${url}`, 'oAuth2Api', {
			grantType: 'clientCredentials',
			accessTokenUrl: `${url}/connect/token`,
			clientId,
			clientSecret,
			scope: 'publicAPI',
			authentication: 'body',
		}),
	};
}

/** HTTP Request as the editor makes it today, with n8n's own OAuth2 credential. */
export function httpRequestNode(
	credential: StoredCredential,
	parameters: JsonObject,
	settings: JsonObject = {},
): WorkflowNode {
	return {
		...packageNode('hospitalityBooking', {}, credential, settings),
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
