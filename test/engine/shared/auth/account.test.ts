import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { forgetAll } from '../../../../nodes/shared/values/recentMap';
import { answerTo, everyOperation, shareOf } from '../../support/everyOperation';
import { type Engine, createEngine } from '../../support/engine';
import { type Received, type TestServer, credentialsAt, sendJson, startServer } from '../../support/server';

/** A call as it arrived: where, and the account that its token was issued to. */
interface Call {
	server: string;
	token: string;
	account: string | undefined;
}

let issued = 0;
const accounts = new Map<string, string>();
let calls: Call[] = [];
const servers: Record<string, TestServer> = {};
let engine: Engine;

/** The account that a request for a token names, and where it was asked for. */
function accountOf({ url, body }: Received, server: string): string | undefined {
	if (url === '/connect/token') {
		const form = new URLSearchParams(body);
		return [server, form.get('client_id'), form.get('client_secret')].join(' ');
	}
	if (url !== '/authentication') return undefined;
	const { CustomerId, Password } = JSON.parse(body) as Record<string, string>;
	return [server, CustomerId, Password].join(' ');
}

async function start(name: string): Promise<void> {
	servers[name] = await startServer((request, response) => {
		const account = accountOf(request, name);
		const authorization = String(request.headers.authorization ?? '');
		if (account === undefined || authorization !== '') {
			const token = authorization.replace('Bearer ', '');
			calls.push({ server: name, token, account: accounts.get(token) });
			return sendJson(response, answerTo(request.url, request.body));
		}
		const token = `token-number-${++issued}`;
		accounts.set(token, account);
		sendJson(response, {
			access_token: token,
			expires_in: 3600,
			AuthenticationToken: token,
			IsAuthenticated: true,
		});
	});
}

const urlOf = (name: string) => servers[name]?.url ?? '';

beforeAll(async () => {
	await start('staging');
	await start('production');
});

afterAll(async () => await Promise.all(Object.values(servers).map(async ({ close }) => await close())));

beforeEach(async () => {
	calls = [];
	forgetAll();
	engine = await createEngine({ credentials: credentialsAt(urlOf('staging')) });
});

/** Where a call goes, and whom it is from, by what the credential says now. */
async function expected(type: string): Promise<Omit<Call, 'token'>> {
	const { baseUrl, payUrl, authUrl, clientId, clientSecret, customerId, password } =
		await engine.credentials.read(type);
	const nameOf = (url: unknown) => (url === urlOf('staging') ? 'staging' : 'production');
	return type === 'hospitalityBookingApi'
		? {
				server: nameOf(baseUrl),
				account: [nameOf(authUrl), clientId, clientSecret].join(' '),
			}
		: { server: nameOf(payUrl), account: [nameOf(payUrl), customerId, password].join(' ') };
}

const edits: Record<string, Array<[string, () => ICredentialDataDecryptedObject]>> = {
	hospitalityBookingApi: [
		['Base URL', () => ({ baseUrl: urlOf('production') })],
		['Token URL Base', () => ({ authUrl: urlOf('production') })],
		['Client ID', () => ({ clientId: 'second-client' })],
		['Client Secret', () => ({ clientSecret: 'second-secret' })],
	],
	hospitalityPaymentApi: [
		['Payment URL', () => ({ payUrl: urlOf('production') })],
		['Customer ID', () => ({ customerId: 'second-customer' })],
		['Password', () => ({ password: 'second-password' })],
	],
};

/** Everything that makes calls with a credential. */
const callers: Array<{ id: string; credential: string; call: () => Promise<unknown> }> = [
	...everyOperation
		.filter(({ operation }) => operation.value !== 'authenticate')
		.map(({ id, node, credential, parameters }) => ({
			id,
			credential,
			call: async () => {
				const { error } = await engine.execute({ node, parameters });
				expect(error).toBeUndefined();
			},
		})),
	{
		id: 'a poll',
		credential: 'hospitalityBookingApi',
		call: async () =>
			await engine
				.trigger({ node: 'hospitalityBookingTrigger', parameters: { event: 'customerCreated' } })
				.activate(),
	},
	{
		id: 'a list search',
		credential: 'hospitalityBookingApi',
		call: async () =>
			await engine.listSearch({ node: 'hospitalityBooking', method: 'searchCustomers', parameters: {} }),
	},
];

const cases = callers.flatMap(({ id, credential, call }) =>
	shareOf(edits[credential] ?? [], id).map(([field, changes]) => ({ id, field, credential, call, changes })),
);

describe('a credential that was edited acts as what it says now', () => {
	it.each(cases)('$id, $field', async ({ credential, call, changes }) => {
		await call();
		const before = calls.splice(0);
		await engine.credentials.edit(credential, changes());
		await call();
		const now = await expected(credential);

		expect(before.length).toBeGreaterThan(0);
		expect(calls.length).toBeGreaterThan(0);
		for (const { token, ...rest } of calls) {
			expect(rest).toEqual(now);
			expect(before.map(({ token: old }) => old)).not.toContain(token);
		}
	});
});

describe('a credential whose fields are expressions acts as what they come to', () => {
	const accountsOf = async (node: string, parameters: INodeParameters, items: string[]) => {
		calls = [];
		await engine.execute({ node, parameters, items: items.map((account) => ({ account })) });
		return calls.map(({ account }) => account);
	};
	const booking = { resource: 'customer', operation: 'getAll' };
	const payment = { resource: 'subscription', operation: 'get', id: 'plan-1001' };

	it.each([
		['hospitalityBooking', 'hospitalityBookingApi', 'clientId', booking, 'the-secret'],
		['hospitalityPayment', 'hospitalityPaymentApi', 'customerId', payment, 'the-password'],
	])('%s, in each run', async (node, credential, field, parameters, secret) => {
		await engine.credentials.edit(credential, { [field]: '={{ $json.account }}' });

		expect(await accountsOf(node, parameters, ['one'])).toEqual([`staging one ${secret}`]);
		expect(await accountsOf(node, parameters, ['two'])).toEqual([`staging two ${secret}`]);
		expect(await accountsOf(node, parameters, ['one'])).toEqual([`staging one ${secret}`]);
	});
});
