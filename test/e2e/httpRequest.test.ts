import times from 'lodash/times';
import type { JsonObject, StoredCredential } from '../../dev/n8nClient.ts';
import { outputOf, packageNode, publishRunner } from '../../dev/runner.ts';
import {
	type Sandbox,
	bookingCredential,
	paymentCredential,
	startSandbox,
} from '../../dev/sandbox.ts';
import type { LoggedRequest } from '../../sandbox/control/requestLog.ts';
import { digest } from '../sandbox/support/client';
import { connect, isNewestN8n } from './support/stack.ts';

/** Those that n8n still offers to saved workflows, up to the latest, which an older n8n does not have. */
const VERSIONS = isNewestN8n() ? [3, 4.2, 4.5] : [3, 4.2];
const CUSTOMERS = '/api/booking/v1/booking/customers?changedFromUtc=2999-01-01T00:00:00Z';

/** What the helpers of n8n send that it calls is shown by test/engine/shared/auth/otherNodes.test.ts. */
describe("n8n's HTTP Request with a Predefined Credential Type, where 'Custom API Call' leads", () => {
	const { client } = connect();
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ control: true });
	});
	afterAll(async () => await sandbox.stop());

	/** Runs the node. @returns the execution, and the calls that have come, those for a token left out */
	async function send(
		credential: StoredCredential,
		typeVersion: number,
		parameters: JsonObject,
		items = 1,
	) {
		const own = { authentication: 'predefinedCredentialType', nodeCredentialType: credential.type };
		const settings = { type: 'n8n-nodes-base.httpRequest', typeVersion };
		const node = packageNode('', { ...own, ...parameters }, credential, settings);
		const { run, end } = await publishRunner(client, node);
		await sandbox.control('DELETE', '/requests');
		const execution = await run(times(items, (index) => ({ index })));
		await end();
		const requests = await sandbox.control<LoggedRequest[]>('GET', '/requests');
		const calls = requests.filter(({ path }) => !/token$|\/authentication$/.test(path));
		return { execution, calls };
	}

	it.each(VERSIONS)('makes a call of the booking service, version %d', async (version) => {
		const { info } = sandbox;
		const data = bookingCredential(info);
		const credential = await client.createCredential('Own calls', 'hospitalityBookingApi', data);
		const { execution, calls } = await send(
			credential,
			version,
			{ url: info.baseUrl + CUSTOMERS },
			5,
		);

		expect(execution.error?.message).toBeUndefined();
		expect(calls.map(({ status, headers }) => [status, headers.system])).toEqual(
			Array(5).fill([200, info.system]),
		);
	});

	it.each(VERSIONS)(
		'sends a JSON body with its Digest to the payment service, version %d',
		async (version) => {
			const { info, control } = sandbox;
			const data = paymentCredential(info);
			const credential = await client.createCredential('Own calls', 'hospitalityPaymentApi', data);
			const [plan] = await control<Array<{ PlanId: string }>>('GET', '/state/subscriptions');
			const jsonBody = JSON.stringify({ Id: plan?.PlanId });
			const parameters = {
				url: `${info.payUrl}/subscriptions/`,
				sendBody: true,
				specifyBody: 'json',
			};
			for (const method of ['GET', 'PUT']) {
				const { execution, calls } = await send(credential, version, {
					...parameters,
					method,
					jsonBody,
				});

				expect(execution.error?.message).toBeUndefined();
				const headers = { 'content-type': 'application/json', digest: digest(jsonBody) };
				expect(calls).toMatchObject([{ method, headers }]);
				expect(Math.floor(Number(calls[0]?.status) / 100)).toBe(2);
				if (method === 'GET') {
					expect(outputOf(execution)).toMatchObject([
						{ json: { SubscriptionId: expect.any(String) } },
					]);
				}
			}
		},
	);
});
