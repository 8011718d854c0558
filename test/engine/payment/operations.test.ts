import { createHash } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { createEngine, type Engine, type Run } from '../support/engine';
import { Service, type ReceivedRequest } from '../support/service';
import { paymentCredential } from './support';

let service: Service;
let engine: Engine;
let planId: string;

beforeAll(async () => {
	service = await Service.start();
});

afterAll(async () => {
	await service.stop();
});

beforeEach(async () => {
	await service.reset();
	engine = await createEngine({ credentials: { hospitalityPaymentApi: paymentCredential(service.info) } });
	const plans = await service.control<Record<string, unknown>[]>('GET', '/state/subscriptions');
	planId = String(plans[0]?.PlanId);
	await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: planId },
	});
	await service.forgetRequests();
});

async function run(
	resource: string,
	operation: string,
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
): Promise<Run> {
	return await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource, operation, ...parameters },
		items,
		onError: items.length > 1 ? 'continueErrorOutput' : 'stopWorkflow',
		after: { plan: "={{ $('Before').item.json.plan }}" },
	});
}

async function sent(): Promise<ReceivedRequest> {
	const requests = await service.requests();
	expect(requests).toHaveLength(1);
	return requests[0] as ReceivedRequest;
}

const digestOf = (body: string) => `SHA-256=${createHash('sha256').update(body).digest('base64')}`;

describe.each([
	['get', 'GET'],
	['cancel', 'PUT'],
])('subscription %s', (operation, method) => {
	test.each<[string, () => INodeParameters]>([
		['fields', () => ({ id: planId })],
		['JSON', () => ({ bodyMode: 'json', jsonBody: JSON.stringify({ Id: planId }, null, 2) })],
	])('sends exactly the documented call from %s', async (_, parameters) => {
		const result = await run('subscription', operation, parameters());
		const { headers, ...request } = await sent();

		expect(result.error).toBeUndefined();
		expect(request).toMatchObject({
			method,
			path: '/pay/subscriptions/',
			query: {},
			body: { Id: planId },
		});
		expect(headers['content-type']).toMatch(/^application\/json/);
		expect(headers.digest).toBe(digestOf(JSON.stringify({ Id: planId })));
		expect(headers.location).toBe(`${service.info.payUrl}/v1/subscriptions/`);
		expect(new Date(String(headers.date)).toUTCString()).toBe(headers.date);
		expect(headers.authorization).toMatch(/^Bearer /);
		expect(headers).not.toHaveProperty('system');
		expect(result.json()[0]).toMatchObject({
			MerchantId: expect.any(Number),
			OrderNumber: expect.any(String),
		});
		expect('PlanId' in (result.json()[0] ?? {})).toBe(operation === 'cancel');
	});

	test.each([
		['fields', { id: '={{ $json.plan }}' }],
		['JSON', { bodyMode: 'json', jsonBody: '={{ ({ Id: $json.plan }) }}' }],
	])('sends nothing without an ID from %s', async (_, parameters) => {
		const { error } = await run('subscription', operation, parameters, [{ plan: '' }]);

		expect(error?.message).toMatch(/'Subscription Plan ID' is empty .* \[item 0\]/);
		expect(await service.requests()).toEqual([]);
	});

	test('links each item to its answer or its refusal', async () => {
		const result = await run('subscription', operation, { id: '={{ $json.plan }}' }, [
			{ plan: planId },
			{ plan: 'no-such-plan' },
			{ plan: planId },
		]);

		expect(result.itemsOf(0)).toEqual([[0], [2]]);
		expect(result.itemsOf(1)).toEqual([[1]]);
		expect(result.after(0)).toEqual([{ plan: planId }, { plan: planId }]);
		expect(result.after(1)).toEqual([{ plan: 'no-such-plan' }]);
	});

	test('sends Extra Query Parameters and Extra Headers', async () => {
		await run('subscription', operation, {
			id: planId,
			options: {
				extraQuery: { entry: [{ name: 'lang', value: 'sv' }] },
				extraHeaders: { entry: [{ name: 'X-Source', value: 'desk' }] },
			},
		});
		const { query, headers } = await sent();

		expect(query).toEqual({ lang: 'sv' });
		expect(headers['x-source']).toBe('desk');
	});
});

test('says that a plan is not registered', async () => {
	const { error } = await run('subscription', 'get', { id: 'no-such-plan' });

	expect(error?.message).toBe('The subscription plan is not registered (404) – Get subscription [item 0]');
	expect(error?.description).toContain("'Subscription Plan ID'");
	expect(await service.requests()).toHaveLength(1);
});

test('repeats a GET with a body after 503 and gives up on other statuses', async () => {
	await service.control('POST', '/faults', {
		path: '/pay/subscriptions',
		times: 1,
		fault: { kind: 'status', status: 503 },
	});
	const repeated = await run('subscription', 'get', { id: planId });
	const statuses = (await service.requests()).map(({ status }) => status);
	await service.control('POST', '/faults', {
		path: '/pay/subscriptions',
		fault: { kind: 'html', status: 500 },
	});
	await service.forgetRequests();
	const failed = await run('subscription', 'get', { id: planId });

	expect(repeated.error).toBeUndefined();
	expect(statuses).toEqual([503, 200]);
	expect(failed.error?.message).toContain('(500)');
	expect(await service.requests()).toHaveLength(1);
});

describe('customer authenticate', () => {
	test("sends the credential's customer and masks the token", async () => {
		const result = await run('customer', 'authenticate', {});
		const { headers, ...request } = await sent();

		expect(result.error).toBeUndefined();
		expect(request).toMatchObject({ method: 'POST', path: '/pay/authentication', query: {} });
		expect(request.body).toMatchObject({ CustomerId: service.info.paymentCustomerId });
		expect(headers.digest).toBe(
			digestOf(
				JSON.stringify({
					CustomerId: service.info.paymentCustomerId,
					Password: service.info.paymentPassword,
				}),
			),
		);
		expect(headers).not.toHaveProperty('authorization');
		expect(headers).not.toHaveProperty('system');
		expect(result.json()).toEqual([
			expect.objectContaining({ IsAuthenticated: true, AuthenticationToken: '***' }),
		]);
	});

	test.each<[string, INodeParameters]>([
		['fields', { anotherCustomer: { customerId: 'other', password: 'theirs' } }],
		['JSON', { bodyMode: 'json', jsonBody: { CustomerId: 'other', Password: 'theirs' } }],
	])('sends another customer from %s and says when it is refused', async (_, parameters) => {
		const result = await run('customer', 'authenticate', parameters);
		const { headers, body } = await sent();

		expect(result.error).toBeUndefined();
		expect(body).toMatchObject({ CustomerId: 'other' });
		expect(headers.digest).toBe(digestOf(JSON.stringify({ CustomerId: 'other', Password: 'theirs' })));
		expect(result.json()).toEqual([{ IsAuthenticated: false }]);
	});

	test('sends nothing for half a customer', async () => {
		const { error } = await run('customer', 'authenticate', { anotherCustomer: { customerId: 'other' } });

		expect(error?.message).toMatch(/^'Password' is empty/);
		expect(error?.description).toContain("'Customer ID' and 'Password'");
		expect(await service.requests()).toEqual([]);
	});

	test("puts the token into the output with 'Include Token' only", async () => {
		const result = await run('customer', 'authenticate', { options: { includeToken: true } });

		expect(result.json()[0]?.AuthenticationToken).toMatch(/^.{20,}$/);
	});
});
