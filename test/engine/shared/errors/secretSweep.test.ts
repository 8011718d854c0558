import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { type ICredentialDataDecryptedObject, type INodeParameters, jsonStringify } from 'n8n-workflow';

import type { Fault } from '../../../../sandbox/control/faults.ts';
import { findsSecret } from '../../../support/secrets';
import { type Engine, createEngine } from '../../support/engine';
import { type Received, type TestServer, sendJson, startServer } from '../../support/server';

/** A mishap comes to each fifth kind of call. */
const SHARE = 5;
const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** With characters that each way of writing a text writes differently. */
const secrets = {
	'client secret': 'pl4nted cl/ient+s"ecret<&>%ö',
	password: ' pl4nted pa/ss+w"ord<&>%ö',
	'access token': 'pl4nted.access+token/of~the_test==',
	'payment token': 'pl4nted.payment+token/of~the_test==',
};

/** What goes wrong: what the sandbox can inject, or the request itself as the response. */
type Mishap =
	Fault | { kind: 'echo'; status: number; as: 'json' | 'form' | 'html' | 'text' | 'base64' | 'location' };

const mishaps: Mishap[] = [
	...([200, 400, 401, 500] as const).flatMap((status) =>
		(['json', 'form', 'html', 'text', 'base64'] as const).map((as): Mishap => ({ kind: 'echo', status, as })),
	),
	{ kind: 'echo', status: 302, as: 'location' },
	{ kind: 'status', status: 418, body: { title: 'Not today' } },
	{ kind: 'delay', ms: 1 },
	{ kind: 'cut' },
	{ kind: 'cutMidBody' },
	{ kind: 'malformed' },
	{ kind: 'html' },
	{ kind: 'html', status: 200 },
	{ kind: 'empty' },
	{ kind: 'empty', status: 500 },
	{ kind: 'rateLimit', retryAfter: 'seconds', seconds: 0 },
];

const nameOf = (mishap: Mishap) => Object.values(mishap).map(String).join(' ');

/** What the service of a request knows of the caller's secrets: a request for a token carries none yet. */
function knownTo(request: Received): Record<string, string> {
	const isPayment = !/^\/(api|connect)/.test(request.url);
	const [secret, token] = isPayment
		? (['password', 'payment token'] as const)
		: (['client secret', 'access token'] as const);
	return { [secret]: secrets[secret], ...(isToken(request) ? {} : { [token]: secrets[token] }) };
}

/** Whether the request is one for a token. */
const isToken = ({ url }: Received) => url === '/connect/token' || url === '/authentication';

let server: TestServer;
let mishap: { concerns: (request: Received) => boolean; what: Mishap } | undefined;
let engine: Engine;
let accounts = 0;

function echo(what: Extract<Mishap, { kind: 'echo' }>, request: Received, response: ServerResponse): void {
	const known = knownTo(request);
	const everything = { ...request.headers, body: request.body, ...known };
	const texts = Object.entries(everything).map(([name, value]): [string, string] => [name, String(value)]);
	const form = new URLSearchParams(texts);
	const escaped = JSON.stringify(everything).replace(/&/g, '&amp;').replace(/</g, '&lt;');
	const bodies = {
		json: [
			'application/json',
			JSON.stringify({ title: 'Received', detail: request.body, errors: everything }),
		],
		form: ['text/plain', form.toString()],
		text: ['text/plain', Object.values(everything).join('\n')],
		html: ['text/html', `<html><title>${escaped}</title></html>`],
		base64: [
			'text/plain',
			Object.values(known)
				.map((secret) => btoaUtf8(`id:${secret}`))
				.join(' '),
		],
		location: ['text/plain', ''],
	} as const;
	const [type, body] = bodies[what.as];
	const path = Object.values(known).map(encodeURIComponent).join('/');
	response.writeHead(what.status, {
		'content-type': type,
		...(what.as === 'location' ? { location: `https://other.example.com/${path}?${form.toString()}` } : {}),
	});
	response.end(body);
}

/** Does what the sandbox does for a fault of its own. */
function happen(what: Fault, request: Received, response: ServerResponse): void {
	const send = (status: number, type: string, body: string) =>
		response.writeHead(status, { 'content-type': type }).end(body);
	switch (what.kind) {
		case 'status':
			return void send(what.status, 'application/json', JSON.stringify(what.body));
		case 'delay':
			return void setTimeout(() => succeed(request, response), what.ms);
		case 'cut':
			return void response.socket?.destroy();
		case 'cutMidBody':
			response.writeHead(200, { 'content-length': '1000' });
			return void response.write('[{"guid"', () => response.socket?.destroy());
		case 'malformed':
			return void send(200, 'application/json', '[{"guid":"5f0c", "status": ');
		case 'html':
			return void send(what.status ?? 502, 'text/html', '<html><title>Bad Gateway</title></html>');
		case 'empty':
			return void response.writeHead(what.status ?? 200).end();
		case 'rateLimit':
			response.setHeader('retry-after', String(what.seconds));
			return void send(what.status ?? 429, 'application/json', '{"title":"Too many requests"}');
	}
}

const btoaUtf8 = (text: string) => Buffer.from(text).toString('base64');

/** Ordinary responses: what each operation needs to go on. */
function succeed(request: Received, response: ServerResponse): void {
	const { url, body } = request;
	if (url === '/connect/token')
		return sendJson(response, { access_token: secrets['access token'], expires_in: 3600 });
	if (url === '/authentication')
		return sendJson(response, { AuthenticationToken: secrets['payment token'], IsAuthenticated: true });
	if (url.includes('batch-update')) return sendJson(response, JSON.parse(body));
	sendJson(response, /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(url) ? [] : {});
}

beforeAll(async () => {
	server = await startServer((request, response) => {
		if (!mishap?.concerns(request)) return succeed(request, response);
		const { what } = mishap;
		mishap = undefined;
		if (what.kind === 'echo') return echo(what, request, response);
		happen(what, request, response);
	});
});

afterAll(async () => await server.close());

/** An account that this process holds no token of. */
beforeEach(async () => {
	accounts += 1;
	const booking: ICredentialDataDecryptedObject = {
		baseUrl: server.url,
		authUrl: server.url,
		clientId: `client-${accounts}`,
		clientSecret: secrets['client secret'],
		system: 'the-system',
	};
	const payment: ICredentialDataDecryptedObject = {
		payUrl: server.url,
		customerId: `customer-${accounts}`,
		password: secrets.password,
		carriedAs: 'bearer',
	};
	engine = await createEngine({
		credentials: { hospitalityBookingApi: booking, hospitalityPaymentApi: payment },
	});
});

const booking = (parameters: INodeParameters) => async () =>
	(await engine.execute({ node: 'hospitalityBooking', parameters })).data;
const payment = (parameters: INodeParameters) => async () =>
	(await engine.execute({ node: 'hospitalityPayment', parameters })).data;

const changeBooking = booking({ resource: 'webBooking', operation: 'cancel', webBookingId: GUID });

/** One of each kind of call, and what it shows. */
const kinds: Record<string, () => Promise<unknown>> = {
	'a list': booking({ resource: 'customer', operation: 'getAll', output: 'raw' }),
	'a change': changeBooking,
	'a call without a documented response': booking({ resource: 'contact', operation: 'sendGuestMessage' }),
	'a batch': booking({
		resource: 'article',
		operation: 'batchUpdate',
		companyId: GUID,
		brandId: GUID,
		bodyMode: 'json',
		jsonBody: JSON.stringify({ items: [{ articleId: GUID, name: 'Toast' }] }),
	}),
	'a GET with a body': payment({ resource: 'subscription', operation: 'get', id: 'plan-1' }),
	'an authentication': payment({ resource: 'customer', operation: 'authenticate' }),
	'an item that goes to the error output': async () =>
		(
			await engine.execute({
				node: 'hospitalityBooking',
				parameters: { resource: 'webBooking', operation: 'cancel', webBookingId: GUID },
				onError: 'continueErrorOutput',
			})
		).data,
	'a poll': async () => {
		const workflow = engine.trigger({
			node: 'hospitalityBookingTrigger',
			parameters: { event: 'customerCreated' },
		});
		const first: unknown = await workflow.activate().catch((error: unknown) => error);
		return [first, workflow.state];
	},
	'a list search': async () =>
		await engine
			.listSearch({ node: 'hospitalityBooking', method: 'searchCustomers', parameters: {} })
			.catch((error: unknown) => error),
	'the test of a booking credential': async () => await engine.testCredential('hospitalityBookingApi'),
	'the test of a payment credential': async () =>
		await engine.testCredential('hospitalityPaymentApi', 'hospitalityPayment'),
};

/** Those that ask for a token each in a way of their own. */
const ASKING_FOR_A_TOKEN = [
	'a change',
	'a GET with a body',
	'an authentication',
	'a poll',
	'the test of a booking credential',
	'the test of a payment credential',
];

/** Everything a person or a log could be shown. */
async function shownBy(kind: () => Promise<unknown>): Promise<string> {
	const logged = engine.log.length;
	const shown = [await kind(), engine.log.slice(logged)];
	const everything = { depth: null, showHidden: true, maxArrayLength: null, maxStringLength: null };
	return `${inspect(shown, everything)}\n${jsonStringify(shown, { replaceCircularRefs: true })}`;
}

/** Every mishap comes to several kinds of call. */
const mishapsOf = (kind: string, names: string[]) =>
	mishaps
		.filter((_, index) => (index + names.indexOf(kind)) % SHARE === 0)
		.map((what) => [nameOf(what), what] as const);

describe.each(Object.entries(kinds))('%s shows no secret', (name, kind) => {
	it.each(mishapsOf(name, Object.keys(kinds)))('when it meets %s', async (_name, what) => {
		mishap = { what, concerns: (request) => !isToken(request) };
		expect(findsSecret(await shownBy(kind), secrets)).toEqual([]);
	});
});

describe.each(Object.entries(kinds).filter(([name]) => ASKING_FOR_A_TOKEN.includes(name)))(
	'%s shows no secret',
	(name, kind) => {
		it.each(mishapsOf(name, ASKING_FOR_A_TOKEN))(
			'when its request for a token meets %s',
			async (_name, what) => {
				mishap = { what, concerns: isToken };
				expect(findsSecret(await shownBy(kind), secrets)).toEqual([]);
			},
		);
	},
);

it('The sweep sees what it looks for: a mishap reaches the call, and a planted secret is found', async () => {
	mishap = {
		what: { kind: 'status', status: 400, body: { title: 'marked words' } },
		concerns: (request) => !isToken(request),
	};
	const shown = await shownBy(changeBooking);

	expect(shown).toContain('marked words');
	expect(findsSecret(shown + secrets['access token'], secrets)).toEqual([
		'access token, plain',
		'access token, URL-encoded',
		'access token, JSON-escaped',
		'access token, JSON-escaped twice',
		'access token, HTML-escaped',
	]);
});
