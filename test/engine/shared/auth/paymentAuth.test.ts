import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { paymentAuth } from '../../../../nodes/shared/auth/paymentAuth';
import { tokenFor } from '../../../../nodes/shared/auth/tokens';
import type { Sender } from '../../../../nodes/shared/http/helpers';
import { FIRST_WINDOW } from '../../../../nodes/shared/http/concurrency/limiter';
import { createEngine, type Engine, type Run } from '../../support/engine';
import { type ReceivedRequest, type Service, unknownService } from '../../support/service';
import { paymentCredential } from '../../../../harness/sandbox.ts';

const ITEMS = 60;

let service: Service;
let engine: Engine;
let planId: string;

// Unknown for each test: the package keeps a session for each account and address.
beforeEach(async () => {
	service = await unknownService();
	engine = await createEngine({ credentials: { hospitalityPaymentApi: paymentCredential(service.info) } });
	const plans = await service.control<Record<string, unknown>[]>('GET', '/state/subscriptions');
	planId = String(plans[0]?.PlanId);
});

async function run(
	operation: 'get' | 'cancel',
	items: number,
	changes?: ICredentialDataDecryptedObject,
): Promise<Run> {
	if (changes) {
		const data = { ...paymentCredential(service.info), ...changes };
		await engine.credentials.add('hospitalityPaymentApi', 'hospitalityPaymentApi', data);
	}
	return await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation, id: planId },
		items: Array.from({ length: items }, (_, number) => ({ number })),
	});
}

/** Method, path and status of each call, those that make a session told apart. */
async function calls(): Promise<string[]> {
	const requests = await service.control<ReceivedRequest[]>('GET', '/requests');
	return requests.map(({ method, path, status }) => `${method} ${path} ${status}`);
}

const AUTHENTICATION = 'POST /pay/authentication 201';

test.each(['get', 'cancel'] as const)('makes 1 session for many items: %s', async (operation) => {
	const result = await run(operation, ITEMS);
	const made = await calls();

	expect(result.error).toBeUndefined();
	expect(result.json()).toHaveLength(ITEMS);
	expect(made.filter((call) => call === AUTHENTICATION)).toHaveLength(1);
	expect(made).toHaveLength(ITEMS + 1);
});

test.each<['get' | 'cancel', ICredentialDataDecryptedObject]>([
	['get', {}],
	['cancel', {}],
])('renews a refused session once and repeats each call it failed once: %s', async (operation, changes) => {
	await run(operation, 1, changes);
	await service.control('POST', '/tokens/revoke');
	await service.forgetRequests();
	const second = await run(operation, ITEMS);
	const made = await calls();
	const refused = made.filter((call) => call.endsWith(' 401')).length;

	expect(second.error).toBeUndefined();
	expect(second.json()).toHaveLength(ITEMS);
	expect(made.filter((call) => call === AUTHENTICATION)).toHaveLength(1);
	expect(refused).toBeGreaterThan(0);
	expect(refused).toBeLessThanOrEqual(FIRST_WINDOW);
	expect(made).toHaveLength(ITEMS + refused + 1);
});

test('renews a session that goes in a header of another name', async () => {
	await run('get', 1, { carriedAs: 'header', headerName: 'X-Session' });
	await service.control('POST', '/faults', {
		method: 'GET',
		path: '/pay/subscriptions',
		times: 1,
		fault: { kind: 'status', status: 401 },
	});
	await service.forgetRequests();
	const { error } = await run('get', 1);
	const requests = await service.control<ReceivedRequest[]>('GET', '/requests');
	const sessions = requests
		.filter(({ method }) => method === 'GET')
		.map(({ headers }) => headers['x-session']);

	expect(error).toBeUndefined();
	expect(await calls()).toEqual([
		'GET /pay/subscriptions/ 401',
		AUTHENTICATION,
		'GET /pay/subscriptions/ 200',
	]);
	expect(sessions).toHaveLength(2);
	expect(sessions[0]).not.toBe(sessions[1]);
	expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined, undefined]);
});

test('sends no session where the credential says so', async () => {
	await run('get', 1, { carriedAs: 'none' });
	const get = (await service.requests()).find(({ method }) => method === 'GET');

	expect(get?.status).toBe(200);
	expect(get?.headers).not.toHaveProperty('authorization');
	expect(get?.headers).not.toHaveProperty('authenticationtoken');
});

test.each(['get', 'cancel'] as const)(
	'answers a wrong password with one clear error: %s',
	async (operation) => {
		const { status, error } = await run(operation, ITEMS, { password: 'not-the-password' });

		expect(status).toBe('error');
		expect(error?.message).toMatch(/'Customer ID' and 'Password'/);
		expect(await calls()).toEqual([AUTHENTICATION]);
		expect(JSON.stringify(error)).not.toContain('not-the-password');
	},
);

test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
	['a wrong password', { password: 'wrong' }, /'Customer ID' and 'Password'/],
	['an empty Customer ID', { customerId: '' }, /'Customer ID'/],
	['a Payment URL that is none', { payUrl: 'my server' }, /'Payment URL'/],
	['a Payment URL where nothing answers', { payUrl: 'http://127.0.0.1:1' }, /Payment URL/],
])('the credential test names what to correct for %s', async (_, changes, message) => {
	await engine.credentials.add('mine', 'hospitalityPaymentApi', {
		...paymentCredential(service.info),
		...changes,
	});
	const verdict = await engine.testCredential('mine', 'hospitalityPayment');

	expect(verdict.status).toBe('Error');
	expect(verdict.message).toMatch(message);
	expect(verdict.message).not.toMatch(/Base URL|Client/);
});

test('the credential test passes for the right password', async () => {
	expect(await engine.testCredential('hospitalityPaymentApi', 'hospitalityPayment')).toMatchObject({
		status: 'OK',
	});
});

test('puts no password or session into items, messages or logs', async () => {
	const own = await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'customer', operation: 'authenticate' },
	});
	const get = await run('get', 2);
	const account = paymentAuth.readAccount(paymentCredential(service.info));
	const { token } = await tokenFor({} as Sender, account);
	const shown = JSON.stringify([own.data, get.data, engine.log]);

	expect(token.length).toBeGreaterThan(20);
	expect(own.json()).toHaveLength(1);
	for (const secret of [service.info.paymentPassword, token]) expect(shown).not.toContain(secret);
});
