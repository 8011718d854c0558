import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { makeSelfSignedCertificate } from '../../support/certificate';
import { type Engine, createEngine } from '../../support/engine';
import {
	type Received,
	credentialsAt,
	sendJson,
	startServer,
	tokenFor,
	useServer,
} from '../../support/server';
import { cancelBooking, getCustomers, getSubscription, shown } from '../../support/standIn';

const here = {} as { engine: Engine };
const closeAtTheEnd: Array<() => void> = [];
/** Of its own for each call through a proxy: accounts share their requests for a token. */
let accounts = 0;

/** What a service says, or a proxy in its place. */
function respond(request: Received, response: ServerResponse): void {
	const { pathname: url } = new URL(request.url, 'http://localhost');
	sendJson(response, tokenFor({ ...request, url }) ?? (url.includes('customers') ? [] : {}));
}

const service = useServer(respond);
const secureService = useServer(respond, makeSelfSignedCertificate());

afterAll(() => {
	for (const close of closeAtTheEnd) close();
});

async function callServicesAt(booking: string, payment = booking): Promise<void> {
	const { hospitalityBookingApi } = credentialsAt(booking);
	const { hospitalityPaymentApi } = credentialsAt(payment);
	here.engine = await createEngine({ hospitalityBookingApi, hospitalityPaymentApi });
}

/** Sets the network of both credentials. */
async function inCredentials(engine: Engine, network: ICredentialDataDecryptedObject): Promise<void> {
	for (const type of ['hospitalityBookingApi', 'hospitalityPaymentApi'])
		await engine.credentials.edit(type, { advanced: true, ...network });
}

/** What is shown of a call to each service with these Options. */
const shownWith = async (options: INodeParameters) => [
	shown(await getCustomers(here, { options })),
	shown(await getSubscription(here, { options })),
];
const NOTHING = Array(2).fill('undefined | undefined');

it("The credential's proxy carries all calls, a node's those with a token only", async () => {
	// Hosts that do not exist: only a proxy can answer for them.
	await callServicesAt('http://booking.invalid', 'http://payment.invalid');
	const options = { proxy: service.url, giveUpAfter: 0 };
	const [booking, payment] = await shownWith(options);
	expect(booking).toContain("The host of 'Token URL Base' is not known");
	expect(payment).toContain("The host of 'Payment URL' is not known");
	expect(service.received).toEqual([]);

	await inCredentials(here.engine, { proxy: service.url });
	expect(await shownWith({})).toEqual(NOTHING);
	expect(service.received.map(({ url }) => url.split('?')[0])).toEqual([
		'http://booking.invalid/connect/token',
		'http://booking.invalid/api/booking/v1/booking/customers',
		'http://payment.invalid/authentication',
		'http://payment.invalid/subscriptions/',
	]);
});

describe('a certificate that nobody trusts', () => {
	beforeEach(async () => await callServicesAt(secureService.url));

	it('is named by the request for a token', async () => {
		const [booking, payment] = await shownWith({});

		expect(booking).toContain("The certificate of 'Token URL Base' is self-signed");
		expect(payment).toContain("The certificate of 'Payment URL' is self-signed");
	});

	it('is named by the call, with the older helper too, and passes where it is ignored', async () => {
		await inCredentials(here.engine, { allowUnauthorizedCerts: true });
		expect(await shownWith({})).toEqual(NOTHING);
		await inCredentials(here.engine, { allowUnauthorizedCerts: false });
		expect(await shownWith({})).toEqual([
			expect.stringContaining("The certificate of 'Base URL' is self-signed"),
			expect.stringContaining("The certificate of 'Payment URL' is self-signed"),
		]);
		expect(await shownWith({ allowUnauthorizedCerts: true })).toEqual(NOTHING);
		expect(secureService.received.filter(({ url }) => url.includes('/api/'))).toHaveLength(2);
	});
});

/** Connects to the service that a proxy is asked for. */
function connected(socket: Socket, target = ''): void {
	const { hostname, port } = new URL(`http://${target}`);
	const other = connect(Number(port), hostname, () => {
		socket.write('HTTP/1.1 200 OK\r\n\r\n');
		other.pipe(socket).pipe(other);
	});
	other.on('error', () => socket.destroy());
	socket.on('error', () => other.destroy());
}

/**
 * A proxy; `asked` has the account of each request.
 *
 * @param does what it does with a connection for https
 */
async function startProxy(does: (socket: Socket, service?: string) => void = connected) {
	const asked: Array<string | undefined> = [];
	const proxy = createServer(({ method = '', url = '', headers }, response) => {
		asked.push(headers['proxy-authorization']);
		respond({ method, url, headers, body: '' }, response);
	});
	proxy.on('connect', ({ url, headers }, socket: Socket) => {
		asked.push(headers['proxy-authorization']);
		does(socket, url);
	});
	const sockets = new Set<Socket>();
	proxy.on('connection', (socket) => sockets.add(socket));
	closeAtTheEnd.push(() => {
		proxy.close();
		// Those of a tunnel are no longer the server's to close.
		for (const socket of sockets) socket.destroy();
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

/** Of a call of each node, where everything goes through the proxy, the request for a token included. */
async function expectProxyBlamed(proxy: string, url: string, happened: RegExp): Promise<void> {
	const engine = await createEngine(credentialsAt(`${url}/account-${++accounts}`));
	await inCredentials(engine, { proxy, allowUnauthorizedCerts: true });
	const options = { giveUpAfter: 0 };
	const runs = await Promise.all([
		cancelBooking({ engine }, { options }),
		getSubscription({ engine }, { options }),
		engine.execute({
			node: 'hospitalityPayment',
			parameters: { resource: 'customer', operation: 'authenticate', options },
		}),
	]);
	for (const text of runs.map(shown)) {
		expect(text).toMatch(happened);
		expect(text).toMatch(/'Proxy' .*in the credential/);
		expect(text).not.toMatch(/may have been made|Secret|Password|Customer ID|service is running/);
	}
}

it('A proxy that does not respond, is not known or hangs up is named, not the service', async () => {
	const { url: hangsUp } = await startProxy((socket) => void socket.destroy());
	const [http, https] = [service.url, secureService.url];
	const cases: Array<Parameters<typeof expectProxyBlamed>> = [
		['http://127.0.0.1:9', http, /^The proxy could not be reached \(ECONNREFUSED\)/],
		['http://127.0.0.1:9', https, /^The proxy could not be reached \(ECONNREFUSED\)/],
		['http://no-such-proxy.invalid:3128', http, /^The proxy could not be reached \(ENOTFOUND\)/],
		['http://no-such-proxy.invalid:3128', https, /^The proxy could not be reached \(ENOTFOUND\)/],
		[hangsUp, https, /^The proxy did not connect to .+ \(ECONNRESET\)/],
	];
	// Side by side: a call that reads is repeated, and waits between.
	await Promise.all(cases.map(async (given) => await expectProxyBlamed(...given)));
});

/** How a proxy refuses to connect: undated, and as Squid does. */
const REFUSALS = [
	'407 Proxy Authentication Required\r\n',
	'403 Forbidden\r\n',
	`503 Service Unavailable\r\nDate: ${new Date().toUTCString()}\r\nRetry-After: 1\r\n`,
];
const proxyThatRefuses = async (refusal?: string) =>
	(await startProxy((socket) => void socket.end(`HTTP/1.1 ${refusal}\r\n`))).url;
const REFUSED = /^The proxy did not connect to '(Base|Payment|Token) URL[^']*' \(\d+\)/;

it('A proxy that requires a password is named, not the account', async () => {
	await expectProxyBlamed(await proxyThatRefuses(REFUSALS[0]), secureService.url, REFUSED);
});

it.each(REFUSALS)('The credential tests name a proxy that refuses to connect by %s', async (refusal) => {
	await callServicesAt(secureService.url);
	await inCredentials(here.engine, { proxy: await proxyThatRefuses(refusal) });
	const booking = await here.engine.testCredential('hospitalityBookingApi');
	const payment = await here.engine.testCredential('hospitalityPaymentApi', 'hospitalityPayment');

	for (const { message } of [booking, payment]) expect(message).toMatch(REFUSED);
});

it.each([false, true])(
	'An https service that does not date its responses is not taken for a proxy (one is set: %s): its words are told, and a 401 is renewed',
	async (hasProxy) => {
		let [lists, status] = [0, 0];
		const undated = await startServer((request, response) => {
			response.sendDate = false;
			const token = tokenFor(request);
			if (token) sendJson(response, token);
			else if (request.url.includes('/customers')) sendJson(response, [], lists++ ? 200 : 401);
			else sendJson(response, { title: 'No such booking' }, status);
		}, makeSelfSignedCertificate());
		const proxy = await startProxy();
		await callServicesAt(undated.url);
		await inCredentials(here.engine, {
			allowUnauthorizedCerts: true,
			...(hasProxy ? { proxy: proxy.url } : {}),
		});
		for (status of [403, 404, 405, 500, 502, 503, 504]) {
			const text = shown(await cancelBooking(here));
			expect(text).toContain(`(${status})`);
			expect(text).toContain('No such booking');
			expect(text).not.toMatch(/proxy/i);
		}
		expect((await getCustomers(here)).error).toBeUndefined();
		await undated.close();

		expect(proxy.asked.length > 0).toBe(hasProxy);
	},
);

it.each([
	['p%ss', 'p%ss'],
	['100%', '100%'],
	['p%25ss', 'p%ss'],
	['%zz%41', '%zz%41'],
	['p%40s:s', 'p@s:s'],
])('The password %s reaches a proxy, for http and for https', async (entered, sent) => {
	const { url: address, asked } = await startProxy();
	const proxy = address.replace('//', `//us%40er:${entered}@`);
	for (const { url } of [service, secureService]) {
		await callServicesAt(url);
		await inCredentials(here.engine, { proxy, allowUnauthorizedCerts: true });
		expect(await shownWith({})).toEqual(NOTHING);
	}

	expect([...new Set(asked)]).toEqual([`Basic ${Buffer.from(`us@er:${sent}`).toString('base64')}`]);
});
