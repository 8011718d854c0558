import type { IDataObject } from 'n8n-workflow';

import { responseFields } from '../../../../nodes/shared/contract/responseFields';
import { GUID } from '../../../support/sampleForm';
import { everyOperation } from '../../support/everyOperation';
import { type Engine, createEngine } from '../../support/engine';
import { type TestServer, credentialsAt, sendJson, startServer } from '../../support/server';

/** A password as people choose them, and a client secret that is one as well. */
const SECRET = 'Stockholm 2026';
const TOKEN = 'token-of-the-account';

/** A documented text that may equal it, in the order of preference. */
const TEXTS = ['name', 'message', 'customerName', 'statusMessage', 'chargeId', 'OrderNumber', 'CustomerName'];

let server: TestServer;
let engine: Engine;
let answer: unknown;

beforeAll(async () => {
	server = await startServer(({ url, headers }, response) => {
		if (url === '/connect/token') return sendJson(response, { access_token: TOKEN, expires_in: 3600 });
		if (url === '/authentication' && headers['x-item'] === undefined)
			return sendJson(response, { AuthenticationToken: TOKEN, IsAuthenticated: true });
		sendJson(response, answer);
	});
	const { hospitalityBookingApi, hospitalityPaymentApi } = credentialsAt(server.url);
	engine = await createEngine({
		credentials: {
			hospitalityBookingApi: { ...hospitalityBookingApi, clientSecret: SECRET },
			hospitalityPaymentApi: { ...hospitalityPaymentApi, password: SECRET },
		},
	});
});

afterAll(async () => await server.close());

const documented = everyOperation.flatMap(({ operation, ...rest }) => {
	const { schema, kind } = operation.output;
	const field = TEXTS.find((name) => schema !== undefined && responseFields[schema]?.includes(name));
	return field === undefined ? [] : [{ ...rest, field, kind }];
});

it('finds a text in most answers', () => expect(documented.length).toBeGreaterThan(15));

it.each(documented)(
	'$id: a documented field that equals the secret comes out as it is, another one does not',
	async ({ node, parameters, field, kind }) => {
		const record = {
			[field]: SECRET,
			articleId: GUID,
			echoed: { client_secret: SECRET, [SECRET]: [TOKEN] },
		};
		answer = kind === 'list' ? [record] : kind === 'batch' ? { items: [record] } : record;
		const run = await engine.execute({
			node,
			parameters: {
				...parameters,
				output: 'raw',
				options: { extraHeaders: { entry: [{ name: 'X-Item', value: '1' }] } },
			},
		});
		const [json] = run.json() as [IDataObject];

		expect(run.error).toBeUndefined();
		expect(json[field]).toBe(SECRET);
		expect(json.echoed).toMatchObject({ client_secret: '***' });
		expect(JSON.stringify(json.echoed)).not.toContain(SECRET);
		// 'Authenticate' carries no token.
		if (parameters.operation !== 'authenticate') expect(JSON.stringify(json)).not.toContain(TOKEN);
	},
);

it("gives the token that 'Include Token' asks for, though the credential's own is the same", async () => {
	answer = { AuthenticationToken: TOKEN, IsAuthenticated: true };
	await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: 'plan-1001' },
	});
	const run = await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'customer', operation: 'authenticate', options: { includeToken: true } },
	});

	expect(run.json()).toEqual([answer]);
});

it('redacts it in an error, whatever the field', async () => {
	const own = everyOperation.find(({ id }) => id === 'subscription.get');
	answer = null;
	const failing = await startServer(({ url }, response) =>
		url === '/authentication'
			? sendJson(response, { AuthenticationToken: TOKEN, IsAuthenticated: true })
			: sendJson(response, { title: SECRET, OrderNumber: SECRET }, 400),
	);
	await engine.credentials.add('failing', 'hospitalityPaymentApi', {
		...credentialsAt(failing.url).hospitalityPaymentApi,
		password: SECRET,
	});
	const { error } = await engine.execute({
		node: 'hospitalityPayment',
		parameters: own?.parameters ?? {},
		credentials: { hospitalityPaymentApi: 'failing' },
	});
	await failing.close();

	expect(error?.description).toContain('***');
	expect(JSON.stringify(error)).not.toContain(SECRET);
});
