import type { INodeParameters } from 'n8n-workflow';

import { type Engine, type Run, createEngine } from '../../support/engine';
import { type TestServer, sendJson, startServer } from '../../support/server';

const PASSWORD = '  outer spaces belong to it ';

let service: TestServer;
let engine: Engine;
let status = 201;

beforeEach(async () => {
	status = 201;
	service = await startServer(({ url, body }, response) => {
		const { CustomerId = '' } = JSON.parse(body || '{}') as { CustomerId?: string };
		if (url !== '/authentication') return sendJson(response, { Status: 'Active' });
		sendJson(response, { AuthenticationToken: `session-of-${CustomerId}`, IsAuthenticated: true }, status);
	});
	engine = await createEngine({
		credentials: {
			hospitalityPaymentApi: {
				payUrl: service.url,
				customerId: 'own',
				password: PASSWORD,
				carriedAs: 'bearer',
			},
		},
	});
});

afterEach(async () => await service.close());

const another = { anotherCustomer: { customerId: 'another', password: ' another secret ' } };

async function authenticate(parameters: INodeParameters = {}): Promise<Run> {
	return await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'customer', operation: 'authenticate', ...parameters },
	});
}

const bodies = () => service.received.map(({ body }) => JSON.parse(body) as unknown);

test('Authenticate makes 1 call on first use, and that call carries no token', async () => {
	const run = await authenticate();

	expect(run.json()).toEqual([{ AuthenticationToken: '***', IsAuthenticated: true }]);
	expect(bodies()).toEqual([{ CustomerId: 'own', Password: PASSWORD }]);
	expect(service.received[0]?.headers.authorization).toBeUndefined();
});

test("Authenticate with another customer leaves the credential's own token alone", async () => {
	const before = await engine.credentials.read('hospitalityPaymentApi');
	await authenticate(another);

	expect(bodies()).toEqual([{ CustomerId: 'another', Password: ' another secret ' }]);
	expect(await engine.credentials.read('hospitalityPaymentApi')).toEqual(before);
});

test("Authenticate with another customer who is refused makes 1 call and does not renew the credential's token", async () => {
	status = 401;
	const run = await authenticate(another);

	expect(run.error?.message).toMatch(/^The service refused the customer \(401\)/);
	expect(service.received).toHaveLength(1);
});

test("gives the token that 'Include Token' asks for, though the credential holds the same", async () => {
	await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: 'plan-1001' },
	});
	const run = await authenticate({ options: { includeToken: true } });

	expect(run.json()).toEqual([{ AuthenticationToken: 'session-of-own', IsAuthenticated: true }]);
});

test('sends the password of the credential with its outer spaces when it asks for a token', async () => {
	await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: 'plan-1001' },
	});

	expect(bodies()[0]).toEqual({ CustomerId: 'own', Password: PASSWORD });
});
