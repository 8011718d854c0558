import type { IDataObject, IExecuteFunctions, INodeType } from 'n8n-workflow';

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
	if (url === '/redirect') {
		return void response.writeHead(302, { location: `${elsewhere.url}/path` }).end();
	}
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

const all = TYPES.flatMap(([type, field, id]) =>
	HELPERS.map((helper) => ({ type, field, id, helper })),
);

async function send(
	helper: Helper,
	type: string,
	address: string,
	{ items = 1, ...more }: IDataObject & { items?: number } = {},
): Promise<Run> {
	const options = {
		[helper === 'requestWithAuthentication' ? 'uri' : 'url']: address,
		method: 'GET',
		json: true,
		...more,
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
	let path: string;

	beforeEach(() => (path = `${server.url}/some/path`));

	it('sends the token', async () => {
		const run = await send(helper, type, path);

		expect(run.error).toBeUndefined();
		expect(calls().map(({ url, headers }) => [url, headers.authorization])).toEqual([
			['/some/path', `Bearer ${id}-token-${issued}`],
		]);
		expect(calls()[0]?.headers.system).toBe(field === 'clientId' ? 'the-system' : undefined);
	});

	it('has one call rejected after a revocation, and asks for 1 token for all that follow', async () => {
		await send(helper, type, path);
		revoked = [`${id}-token-${issued}`];
		// The newer helper sends again what was rejected by a 401.
		const isRepeated = helper === 'httpRequestWithAuthentication';
		expect((await send(helper, type, path)).error === undefined).toBe(isRepeated);
		const run = await send(helper, type, path, { items: 20 });

		expect(run.error).toBeUndefined();
		expect(calls()).toHaveLength(isRepeated ? 23 : 22);
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

	it('follows no redirect', async () => {
		const { error } = await send(helper, type, `${server.url}/redirect`);

		expect(error?.message).toBeDefined();
		expect(elsewhere.received).toEqual([]);
	});
});
