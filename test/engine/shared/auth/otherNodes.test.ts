import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

import { digest } from '../../../sandbox/support/client';
import { type Engine, type Run, createEngine } from '../../support/engine';
import { plainDescription } from '../../support/nodeTypes';
import { type Received, credentialsAt, sendJson, useServer } from '../../support/server';

/** The two helpers of n8n that take a credential: HTTP Request uses the older one. */
const HELPERS = ['requestWithAuthentication', 'httpRequestWithAuthentication'] as const;
type Helper = (typeof HELPERS)[number];

/** A node of somebody else: sends the request of its parameters, as n8n's HTTP Request does. */
const request: INodeType = {
	description: {
		...plainDescription('request'),
		properties: [
			{ displayName: 'Options', name: 'options', type: 'json', default: {} },
			{ displayName: 'Helper', name: 'helper', type: 'string', default: '' },
			{ displayName: 'Type', name: 'type', type: 'string', default: '' },
		],
		credentials: [{ name: 'hospitalityBookingApi' }, { name: 'hospitalityPaymentApi' }],
	},
	async execute(this: IExecuteFunctions) {
		const helper = this.getNodeParameter('helper', 0) as Helper;
		const type = this.getNodeParameter('type', 0) as string;
		const sendItem = async (_: unknown, item: number) => {
			const options = this.getNodeParameter('options', item) as IDataObject;
			return (await this.helpers[helper].call(this, type, options as never)) as unknown;
		};
		const answers = await Promise.all(this.getInputData().map(sendItem));
		return [answers.map((answer) => ({ json: { answer: answer as IDataObject } }))];
	},
};

let engine: Engine;
let issued = 0;
let revoked: string[] = [];

const elsewhere = useServer((_, response) => sendJson(response, {}));
const server = useServer(({ url, body, headers }, response) => {
	if (url === '/connect/token') {
		const id = String(new URLSearchParams(body).get('client_id'));
		return sendJson(response, { access_token: `${id}-token-${++issued}`, expires_in: 3600 });
	}
	if (url === '/authentication') {
		const { CustomerId } = JSON.parse(body) as IDataObject;
		return sendJson(response, { AuthenticationToken: `${String(CustomerId)}-token-${++issued}` });
	}
	if (url === '/redirect') return void response.writeHead(302, { location: `${elsewhere.url}/path` }).end();
	const status = headers['x-status'];
	if (status === '0') return void response.destroy();
	if (status !== undefined) return sendJson(response, {}, Number(status));
	const token = String(headers.authorization).replace('Bearer ', '');
	sendJson(response, { token }, token.includes('-token-') && !revoked.includes(token) ? 200 : 401);
});

beforeEach(async () => {
	revoked = [];
	engine = await createEngine(credentialsAt(server.url));
	engine.nodeTypes.add('test.request', request);
});

const TYPES = [
	['hospitalityBookingApi', 'clientId', 'the-client'],
	['hospitalityPaymentApi', 'customerId', '4711'],
] as const;

const all = TYPES.flatMap(([type, field, id]) => HELPERS.map((helper) => ({ type, field, id, helper })));

async function send(
	helper: Helper,
	type: string,
	address: string,
	{ items = 1, ...more }: IDataObject & { items?: number } = {},
): Promise<Run> {
	const options = {
		[helper === 'requestWithAuthentication' ? 'uri' : 'url']: address,
		...{ method: 'GET', json: true, ...more },
	};
	return await engine.execute({
		node: 'test.request',
		parameters: { helper, type, options: options as never },
		items: Array.from({ length: items }, () => ({})),
	});
}

const isTokenRequest = ({ url }: Received) => url === '/connect/token' || url === '/authentication';
const calls = () => server.received.filter((one) => !isTokenRequest(one));
const tokenRequests = () => server.received.filter(isTokenRequest).length;

describe.each(all)('$helper with $type', ({ type, field, id, helper }) => {
	const path = '/some/path';

	it.each(['', 'SERVER'])('sends the token with a path after %p', async (before) => {
		const address = before.replace('SERVER', server.url) + path;
		const run = await send(helper, type, address);

		expect(run.error).toBeUndefined();
		expect(calls().map(({ url, headers }) => [url, headers.authorization])).toEqual([
			[path, `Bearer ${id}-token-${issued}`],
		]);
		expect(calls()[0]?.headers.system).toBe(field === 'clientId' ? 'the-system' : undefined);
	});

	it('fails one call after a revocation, and asks for 1 token for all that follow', async () => {
		await send(helper, type, path);
		revoked = [`${id}-token-${issued}`];
		expect((await send(helper, type, path)).error).toBeDefined();
		const run = await send(helper, type, path, { items: 20 });

		expect(run.error).toBeUndefined();
		expect(calls()).toHaveLength(22);
		expect(tokenRequests()).toBe(2);
	});

	it.each([409, 503, 0])('sends a change once that ends with %i, and the next', async (status) => {
		await send(helper, type, path);
		const change = { method: 'PUT', headers: { 'X-Status': String(status) }, body: { Id: 1 } };
		for (let sent = 1; sent <= 3; sent++) {
			expect((await send(helper, type, path, change)).error).toBeDefined();
			expect(calls()).toHaveLength(1 + sent);
		}
		expect(tokenRequests()).toBeLessThanOrEqual(2);
	});

	it('acts as the edited account, though the old token is stored', async () => {
		await send(helper, type, path);
		await engine.credentials.edit(type, { [field]: 'second' });
		const run = await send(helper, type, path, { items: 3 });

		expect(run.error).toBeUndefined();
		expect(calls().map(({ headers }) => headers.authorization)).toEqual([
			`Bearer ${id}-token-${issued - 1}`,
			...Array<string>(3).fill(`Bearer second-token-${issued}`),
		]);
	});

	it("uses no token that another account's fields were stored with", async () => {
		const expiresAt = String(Date.now() + 1e6);
		await engine.credentials.edit(type, { accessToken: 'of-whoever', sessionState: 'valid', expiresAt });
		const run = await send(helper, type, path);

		expect(run.error).toBeUndefined();
		expect(JSON.stringify(server.received)).not.toContain('of-whoever');
	});

	it.each([
		['another host', () => elsewhere.url + path],
		['a host that looks like it', () => `${server.url}@127.0.0.1:${new URL(elsewhere.url).port}${path}`],
		['another scheme', () => server.url.replace('http:', 'https:') + path],
	])('sends nothing to %s', async (_, address) => {
		const { error } = await send(helper, type, address());

		expect(`${String(error?.message)} ${String(error?.description)}`).toMatch(/Base URL|Payment URL/);
		expect(elsewhere.received).toEqual([]);
		expect(calls()).toEqual([]);
	});

	it('follows no redirect', async () => {
		const { error } = await send(helper, type, '/redirect');

		expect(error?.message).toBeDefined();
		expect(elsewhere.received).toEqual([]);
	});
});

describe.each(HELPERS)('%s, to the payment service', (helper) => {
	it.each<[string, IDataObject, string, string]>([
		['an object', { body: { Id: 'plan-1' } }, '{"Id":"plan-1"}', 'application/json'],
		[
			'a text',
			{ body: '{"Id": "å"}\n', headers: { 'content-type': 'application/json' } },
			'{"Id": "å"}\n',
			'application/json',
		],
		[
			'a form, as it was asked for',
			{
				body: { Id: 'plan 1' },
				headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			},
			'Id=plan+1',
			'application/x-www-form-urlencoded',
		],
	])('sends %s as it is, with its Digest', async (_, options, body, contentType) => {
		const put = { method: 'PUT', ...options };
		const run = await send(helper, 'hospitalityPaymentApi', '/subscriptions/', put);
		const [call] = calls();

		expect(run.error).toBeUndefined();
		expect(call).toMatchObject({ method: 'PUT', url: '/subscriptions/', body });
		expect(call?.headers).toMatchObject({
			'content-type': contentType,
			digest: digest(body),
			location: `${server.url}/v1/subscriptions/`,
		});
	});

	it('sends no body where there is none, with the Digest of nothing', async () => {
		const run = await send(helper, 'hospitalityPaymentApi', '/subscriptions/');

		expect(run.error).toBeUndefined();
		expect(calls()[0]?.headers.digest).toBe(digest(''));
	});

	it('sends nothing of a kind that the Digest cannot cover', async () => {
		const put = { method: 'PUT', formData: { Id: 'plan-1' } };
		const { error } = await send(helper, 'hospitalityPaymentApi', '/subscriptions/', put);

		expect(`${String(error?.message)} ${String(error?.description)}`).toContain('Digest');
		expect(calls()).toEqual([]);
	});
});

it("leaves a 'system' header that the request has", async () => {
	const headers = { System: 'another' };
	await send('requestWithAuthentication', 'hospitalityBookingApi', '/path', { headers });

	expect(calls().map((call) => call.headers.system)).toEqual(['another']);
});
