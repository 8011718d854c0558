import type { ServerResponse } from 'node:http';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Engine, createEngine } from '../../support/engine';
import { type Received, type TestServer, sendJson, startServer, tokenFor } from '../../support/server';

/** What there is in a node, a workflow or a list, and not in a credential. */
const ELSEWHERE = /this item|\boptions\b|give up after|days per call|changed after|'timeout'/i;

const STATUSES = [300, 302, 304, 400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415];
const MORE = [
	416, 418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504, 507, 511, 520,
];

type Mishap = (response: ServerResponse, request: Received) => void;

const mishaps: Array<[string, Mishap]> = [
	...[...STATUSES, ...MORE].map((status): [string, Mishap] => [
		String(status),
		(response) => sendJson(response, {}, status),
	]),
	['503 with Retry-After', (response) => void response.writeHead(503, { 'retry-after': '60' }).end()],
	['a redirect', (response, { url }) => void response.writeHead(302, { location: `/x${url}` }).end()],
	['a cut connection', (response) => void response.socket?.destroy()],
	['no HTTP', (response) => void response.socket?.end('nothing of the kind\r\n\r\n')],
	['a web page', (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
	['half a JSON', (response) => void response.writeHead(200).end('[{"guid')],
	['nothing', (response) => void response.writeHead(200).end()],
	[
		'corrupt gzip',
		(response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('not compressed'),
	],
];

let server: TestServer;
let engine: Engine;
let mishap: { on: RegExp; what: Mishap };

beforeAll(async () => {
	server = await startServer((request, response) => {
		if (mishap.on.test(request.url)) return mishap.what(response, request);
		sendJson(response, tokenFor(request) ?? []);
	});
	const { url } = server;
	engine = await createEngine();
	await engine.credentials.add('booking', 'hospitalityBookingApi', {
		baseUrl: url,
		authUrl: url,
		clientId: 'c',
		clientSecret: 'the-secret',
		system: 'x',
	});
	await engine.credentials.add('payment', 'hospitalityPaymentApi', PAYMENT(url));
});

const PAYMENT = (payUrl: string): ICredentialDataDecryptedObject => ({
	payUrl,
	customerId: 'c',
	password: 'the-password',
});

afterAll(async () => await server.close());

describe.each([
	['hospitalityBookingApi', 'booking', 'hospitalityBooking', 'the token', /token/],
	['hospitalityBookingApi', 'booking', 'hospitalityBooking', 'the call', /\/api\//],
	['hospitalityPaymentApi', 'payment', 'hospitalityPayment', 'the session', /authentication/],
])("the test of %s names nothing that is not in the credential's form", (_, id, node, _what, on) => {
	it.each(mishaps)(`where ${_what} meets %s`, async (_name, what) => {
		mishap = { on, what };
		const { status, message } = await engine.testCredential(id, node);

		expect(status).toBe('Error');
		expect(message).not.toMatch(ELSEWHERE);
	});
});

it.each(['X Session', 'X:Session', 'Sitzungsschlüssel', ' '])(
	"the test of hospitalityPaymentApi refuses the Header Name '%s', as a run does",
	async (headerName) => {
		mishap = { on: /never/, what: () => undefined };
		const data = { ...PAYMENT(server.url), carriedAs: 'header', headerName };
		await engine.credentials.add('header', 'hospitalityPaymentApi', data);
		const { status, message } = await engine.testCredential('header', 'hospitalityPayment');
		const { error } = await engine.execute({
			node: 'hospitalityPayment',
			parameters: { resource: 'subscription', operation: 'get', id: 'plan-1001' },
			credentials: { hospitalityPaymentApi: 'header' },
		});

		expect(status).toBe('Error');
		expect(message).toContain("'Header Name'");
		expect(error?.message).toContain("'Header Name'");
	},
);
