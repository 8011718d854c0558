import type { N8nClient, StoredCredential } from '../../../dev/n8nClient.ts';
import { type TestServer, sendJson, startServer } from '../../engine/support/server';

/** Secrets that are looked for, each with characters that texts write in other ways. */
export const PLANTED = {
	'client secret': 'pl4nted cl/ient+s"ecret<&>%ö',
	password: ' pl4nted pa/ss+w"ord<&>%ö',
	'access token': 'pl4nted.access+token/of~the_test==',
	'payment token': 'pl4nted.payment+token/of~the_test==',
};

/** What the echoing service refuses: the calls, or the requests for a token. */
export type Echoes = 'calls' | 'tokens';

/** A service that repeats all it was sent. */
export interface EchoService extends TestServer {
	echoes: Echoes;
	/** Stores a credential of each type for it, with the planted secrets. */
	credentials(client: N8nClient): Promise<{ booking: StoredCredential; payment: StoredCredential }>;
}

export async function startEchoService(): Promise<EchoService> {
	const server = await startServer((request, response) => {
		const isToken = request.url === '/connect/token' || request.url === '/authentication';
		const token = {
			access_token: PLANTED['access token'],
			AuthenticationToken: PLANTED['payment token'],
			expires_in: 3600,
		};
		const repeated = { title: request.body, errors: { ...request.headers } };
		if (isToken && service.echoes !== 'tokens') sendJson(response, token);
		else sendJson(response, repeated, 400);
	});
	const service: EchoService = {
		...server,
		echoes: 'calls',
		credentials: async (client) => ({
			booking: await client.createCredential(`Echo of ${service.echoes}`, 'hospitalityBookingApi', {
				baseUrl: server.url,
				authUrl: server.url,
				clientId: `client-${service.echoes}`,
				clientSecret: PLANTED['client secret'],
				system: 'the-system',
				timeZone: 'UTC',
				...{ canceledStatuses: 'none', noShowStatuses: 'none', finishedStatuses: 'none' },
			}),
			payment: await client.createCredential(`Echo of ${service.echoes}`, 'hospitalityPaymentApi', {
				payUrl: server.url,
				customerId: `customer-${service.echoes}`,
				password: PLANTED.password,
				carriedAs: 'bearer',
			}),
		}),
	};
	return service;
}
