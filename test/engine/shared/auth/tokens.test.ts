import { setTimeout as sleep } from 'node:timers/promises';
import { paymentCredential } from '../../../../harness/sandbox.ts';
import { FIRST_WINDOW } from '../../../../nodes/shared/http/concurrency/limiter';
import { forgetAll } from '../../../../nodes/shared/values/recentMap';
import type { Run } from '../../support/engine';
import { type ReceivedRequest, useService } from '../../support/service';

const ITEMS = 60;
const TOKEN = 'POST /connect/token 200';
const SESSION = 'POST /pay/authentication 201';

const here = useService();
let planId: string;

beforeEach(async () => {
	const { engine, service } = here;
	const type = 'hospitalityPaymentApi';
	await engine.credentials.add(type, type, paymentCredential(service.info));
	// A process that holds no token yet.
	forgetAll();
	planId = String((await service.stored('subscriptions'))[0]?.PlanId);
});

/** One call an item. */
async function run(resource: string, operation: string, items = 1, account = ''): Promise<Run> {
	return await here.engine.execute({
		node: resource === 'customer' ? 'hospitalityBooking' : 'hospitalityPayment',
		parameters: { resource, operation, ...(resource === 'customer' ? { limit: 1 } : { id: planId }) },
		items: Array.from({ length: items }, (_, number) => ({ number, account })),
	});
}

/** Every request, those for a token included. */
const received = async () => await here.service.control<ReceivedRequest[]>('GET', '/requests');

/** Method, path and status of each. */
const calls = async () => (await received()).map(({ method, path, status }) => `${method} ${path} ${status}`);

const ALL = Array.from({ length: ITEMS }, (_, item) => item);

describe.each([
	['customer', 'getAll', TOKEN],
	['subscription', 'get', SESSION],
	['subscription', 'cancel', SESSION],
])('%s %s', (resource, operation, token) => {
	test('asks for 1 token and fails no call on first use, however many items there are', async () => {
		const first = await run(resource, operation, ITEMS);
		const made = await calls();

		expect(first.error).toBeUndefined();
		expect(first.itemsOf().flat()).toEqual(ALL);
		expect(made.filter((call) => call === token)).toHaveLength(1);
		expect(made).toHaveLength(ITEMS + 1);
	});

	test('replaces a token that was revoked with 1 request and repeats each call it failed once', async () => {
		await run(resource, operation);
		await here.service.control('POST', '/tokens/revoke');
		await here.service.forgetRequests();
		const second = await run(resource, operation, ITEMS);
		const made = await calls();
		const refused = made.filter((call) => call.endsWith(' 401')).length;

		expect(second.error).toBeUndefined();
		expect(second.itemsOf().flat()).toEqual(ALL);
		expect(made.filter((call) => call === token)).toHaveLength(1);
		expect(refused).toBeGreaterThan(0);
		expect(refused).toBeLessThanOrEqual(FIRST_WINDOW);
		expect(made).toHaveLength(ITEMS + refused + 1);
	});

	test('meets a wrong secret with one clear error and no retries', async () => {
		await here.engine.credentials.edit('hospitalityBookingApi', { clientSecret: 'wrong' });
		await here.engine.credentials.edit('hospitalityPaymentApi', { password: 'wrong' });
		const { status, error } = await run(resource, operation, ITEMS);

		expect(status).toBe('error');
		expect(error?.message).toMatch(
			token === TOKEN ? /'Client ID' or 'Client Secret'/ : /'Customer ID' or 'Password'/,
		);
		expect(await received()).toHaveLength(1);
	});
});

test.each([
	['hospitalityBookingApi', 'clientId', 'customer', 'getAll'],
	['hospitalityPaymentApi', 'customerId', 'subscription', 'get'],
])('acts in each run as what an expression in the %s comes to', async (type, field, resource, operation) => {
	const own = String((await here.engine.credentials.read(type))[field]);
	await here.engine.credentials.edit(type, { [field]: '={{ $json.account }}' });
	const messages: unknown[] = [];
	for (const account of [own, 'nobody', own])
		messages.push((await run(resource, operation, 1, account)).error?.message);

	expect(messages).toEqual([undefined, expect.stringContaining('service rejected'), undefined]);
});

test('replaces an expired token before it is used, with 1 request and no failed call', async () => {
	await here.service.control('PUT', '/tokens', { lifetimeSeconds: 1 });
	await run('customer', 'getAll');
	await here.service.control('PUT', '/tokens', { lifetimeSeconds: 3600 });
	await sleep(1100);
	await here.service.forgetRequests();
	const second = await run('customer', 'getAll', ITEMS);

	expect(second.json()).toHaveLength(ITEMS);
	expect(await here.service.stats()).toMatchObject({ requests: ITEMS + 1, tokenRequests: 1, failedCalls: 0 });
});

test('tells n8n how long a service asks to wait that issues no token', async () => {
	const fault = { kind: 'rateLimit', retryAfter: 'seconds', seconds: 120 };
	await here.service.inject({ path: '/connect/token', fault });
	const parameters = { resource: 'customer', operation: 'getAll', options: { giveUpAfter: 1 } };

	expect((await here.engine.execute({ node: 'hospitalityBooking', parameters })).error).toMatchObject({
		failure: { cause: 'rate-limited', retryAfterMs: 120_000 },
	});
});

test('renews a session that goes in a header of another name', async () => {
	await here.engine.credentials.edit('hospitalityPaymentApi', {
		carriedAs: 'header',
		headerName: 'X-Session',
	});
	await run('subscription', 'get');
	const fault = { kind: 'status', status: 401 };
	await here.service.inject({ method: 'GET', path: '/pay/subscriptions', times: 1, fault });
	await here.service.forgetRequests();
	const { error } = await run('subscription', 'get');
	const requests = await received();
	const sessions = requests.flatMap(({ headers }) => headers['x-session'] ?? []);

	expect(error).toBeUndefined();
	expect(await calls()).toEqual(['GET /pay/subscriptions/ 401', SESSION, 'GET /pay/subscriptions/ 200']);
	expect(new Set(sessions).size).toBe(2);
	expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
});

test('sends no session where the credential says so', async () => {
	await here.engine.credentials.edit('hospitalityPaymentApi', { carriedAs: 'none' });
	await run('subscription', 'get');
	const get = (await received()).find(({ method }) => method === 'GET');

	expect(get?.status).toBe(200);
	expect(get?.headers).not.toHaveProperty('authorization');
	expect(get?.headers).not.toHaveProperty('authenticationtoken');
});
