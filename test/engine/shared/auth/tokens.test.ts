import { forgetAll } from '../../../../nodes/shared/values/recentMap';
import type { Run } from '../../support/engine';
import { type ReceivedRequest, useService } from '../../support/service';

const SESSION = 'POST /pay/authentication 201';

const here = useService();
let planId: string;

beforeEach(async () => {
	// A process that holds no token yet.
	forgetAll();
	planId = String((await here.service.stored('subscriptions'))[0]?.PlanId);
});

/** One call an item. */
async function run(resource: string, operation: string, account = ''): Promise<Run> {
	return await here.engine.execute({
		node: resource === 'customer' ? 'hospitalityBooking' : 'hospitalityPayment',
		parameters: { resource, operation, ...(resource === 'customer' ? { limit: 1 } : { id: planId }) },
		items: [{ account }],
	});
}

/** Every request, those for a token included. */
const received = async () => await here.service.control<ReceivedRequest[]>('GET', '/requests');

/** Method, path and status of each. */
const calls = async () => (await received()).map(({ method, path, status }) => `${method} ${path} ${status}`);

test.each([
	['clientId', 'hospitalityBookingApi', 'customer', 'getAll', "'Client ID' or 'Client Secret'"],
	['customerId', 'hospitalityPaymentApi', 'subscription', 'get', "'Customer ID' or 'Password'"],
])(
	'acts in each run as what an expression for %s comes to',
	async (field, type, resource, operation, fields) => {
		const own = String((await here.engine.credentials.read(type))[field]);
		await here.engine.credentials.edit(type, { [field]: '={{ $json.account }}' });
		const messages: unknown[] = [];
		for (const account of [own, 'nobody', own])
			messages.push((await run(resource, operation, account)).error?.message);

		expect(messages).toEqual([undefined, expect.stringContaining(`service rejected ${fields}`), undefined]);
	},
);

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
