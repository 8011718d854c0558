import type { JsonObject, StoredCredential } from '../../harness/n8nClient.ts';
import { outputOf, packageNode, publishRunner } from '../../harness/runner.ts';
import { type Sandbox, bookingCredential, paymentCredential, startSandbox } from '../../harness/sandbox.ts';
import type { LoggedRequest } from '../../sandbox/control/requestLog.ts';
import { digest } from '../sandbox/support/client';
import { type Connection, connect } from './support/stack.ts';

/** Those that n8n 2 still offers to saved workflows, up to the latest. */
const VERSIONS = [3, 4.2, 4.5];
const CUSTOMERS = '/api/booking/v1/booking/customers?changedFromUtc=2999-01-01T00:00:00Z';

describe("n8n's HTTP Request with a Predefined Credential Type, where 'Custom API Call' leads", () => {
	let connection: Connection;
	let sandbox: Sandbox;
	let booking: StoredCredential;
	let payment: StoredCredential;

	beforeAll(async () => {
		connection = connect();
		sandbox = await startSandbox({ control: true });
		const { client } = connection;
		const { info } = sandbox;
		booking = await client.createCredential('Own calls', 'hospitalityBookingApi', bookingCredential(info));
		payment = await client.createCredential('Own calls', 'hospitalityPaymentApi', paymentCredential(info));
	});

	afterAll(async () => await sandbox.stop());

	beforeEach(async () => {
		await sandbox.control('DELETE', '/requests');
	});

	async function send(credential: StoredCredential, typeVersion: number, parameters: JsonObject, items = 1) {
		const own = {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential.type,
			...parameters,
		};
		const type = 'n8n-nodes-base.httpRequest';
		const node = packageNode('', own, credential, { type, typeVersion });
		const { run, end } = await publishRunner(connection.client, node);
		const execution = await run(Array.from({ length: items }, (_, index) => ({ index })));
		await end();
		return execution;
	}

	const calls = async () => {
		const all = await sandbox.control<LoggedRequest[]>('GET', '/requests');
		return all.filter(({ path }) => !/token$|\/authentication$/.test(path));
	};

	it.each(VERSIONS)('makes a call of the booking service, version %d', async (version) => {
		const execution = await send(booking, version, { url: sandbox.info.baseUrl + CUSTOMERS }, 5);

		expect(execution.error?.message).toBeUndefined();
		expect((await calls()).map(({ status, headers }) => [status, headers.system])).toEqual(
			Array(5).fill([200, sandbox.info.system]),
		);
	});

	it.each(VERSIONS)(
		'sends a JSON body with its Digest to the payment service, version %d',
		async (version) => {
			const plans = await sandbox.control<Array<{ PlanId: string }>>('GET', '/state/subscriptions');
			const body = { Id: plans[version === 3 ? 0 : 1]?.PlanId };
			const parameters = {
				url: `${sandbox.info.payUrl}/subscriptions/`,
				sendBody: true,
				specifyBody: 'json',
			};
			const jsonBody = JSON.stringify(body);
			const changed = await send(payment, version, { ...parameters, method: 'PUT', jsonBody });
			const read = await send(payment, version, { ...parameters, method: 'GET', jsonBody });

			expect([changed.error?.message, read.error?.message]).toEqual([undefined, undefined]);
			expect(outputOf(read)).toMatchObject([{ json: { SubscriptionId: expect.any(String) } }]);
			const sent = await calls();
			expect(sent.map(({ method, status, headers }) => ({ method, status, ...headers }))).toMatchObject(
				['PUT', 'GET'].map((method) => ({
					method,
					'content-type': 'application/json',
					digest: digest(jsonBody),
				})),
			);
			expect(sent.map(({ status }) => Math.floor(Number(status) / 100))).toEqual([2, 2]);
		},
	);
});
