import { join } from 'node:path';
import { packageNode, publishRunner } from '../../harness/runner.ts';
import { type TestServer, sendJson, startServer } from '../engine/support/server';
import { findsSecret, findsSecretInFiles } from '../support/secrets';
import { type Connection, connect, foundStack } from './support/stack';

const secrets = {
	'client secret': 'pl4nted cl/ient+s"ecret<&>%ö',
	password: ' pl4nted pa/ss+w"ord<&>%ö',
	'access token': 'pl4nted.access+token/of~the_test==',
	'payment token': 'pl4nted.payment+token/of~the_test==',
};

describe('secrets in real n8n, from a service that repeats all it was sent', () => {
	let connection: Connection;
	let service: TestServer;
	/** What the service does with the calls to come. */
	let refuses: 'calls' | 'tokens';

	beforeAll(async () => {
		connection = connect();
		service = await startServer((request, response) => {
			const isToken = request.url === '/connect/token' || request.url === '/authentication';
			const token = { access_token: secrets['access token'], AuthenticationToken: secrets['payment token'] };
			if (isToken && refuses === 'calls') sendJson(response, { ...token, expires_in: 3600 });
			else sendJson(response, { title: request.body, errors: { ...request.headers } }, 400);
		});
	});

	afterAll(async () => await service.close());

	it.each(['calls', 'tokens'] as const)(
		'are in no execution, database or log when it refuses the %s',
		async (what) => {
			refuses = what;
			const booking = await connection.client.createCredential(`Echo of ${what}`, 'hospitalityBookingApi', {
				baseUrl: service.url,
				authUrl: service.url,
				clientId: `client-${what}`,
				clientSecret: secrets['client secret'],
				system: 'the-system',
			});
			const payment = await connection.client.createCredential(`Echo ${what}`, 'hospitalityPaymentApi', {
				payUrl: service.url,
				customerId: `customer-${what}`,
				password: secrets.password,
				carriedAs: 'bearer',
			});
			const list = { resource: 'customer', operation: 'getAll' };
			const plan = { resource: 'subscription', operation: 'get', id: 'plan-1' };
			for (const node of [
				packageNode('hospitalityBooking', list, booking),
				packageNode('hospitalityPayment', plan, payment),
			]) {
				const { run, end } = await publishRunner(connection.client, node);
				const execution = await run([{}]);
				await end();

				expect(execution.status).toBe('error');
				expect(JSON.stringify(execution)).toContain('The service says');
				expect(findsSecret(JSON.stringify(execution), secrets)).toEqual([]);
			}

			const { folder } = foundStack();
			const n8nFolder = join(folder, 'home', '.n8n');
			expect(findsSecretInFiles(n8nFolder, { 'words of the error': 'The service says' })).not.toEqual([]);
			expect(findsSecretInFiles(n8nFolder, secrets)).toEqual([]);
			expect(findsSecretInFiles(join(folder, 'n8n.log'), secrets)).toEqual([]);
		},
	);
});
