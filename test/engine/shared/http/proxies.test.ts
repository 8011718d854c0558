import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { makeSelfSignedCertificate } from '../../support/certificate';
import { createEngine } from '../../support/engine';
import { type TestServer, credentialsAt, sendJson, startServer, tokenFor } from '../../support/server';
import { cancelBooking, getSubscription, shown } from '../../support/standIn';

let service: TestServer;
let secureService: TestServer;
const proxies: Server[] = [];
/** Of its own for each call: accounts share their requests for a token. */
let accounts = 0;

beforeAll(async () => {
	const respond: Parameters<typeof startServer>[0] = (request, response) =>
		sendJson(response, tokenFor(request) ?? []);
	service = await startServer(respond);
	secureService = await startServer(respond, makeSelfSignedCertificate());
});

afterAll(async () => {
	for (const proxy of proxies) proxy.close();
	await service.close();
	await secureService.close();
});

/** A proxy that does this with a connection it is asked for. */
async function proxyThat(does: (socket: Socket) => void): Promise<string> {
	const proxy = createServer((_, response) => void response.socket?.destroy());
	proxy.on('connect', (_, socket: Socket) => does(socket));
	proxies.push(proxy);
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** What is shown of a call of each node, where everything goes through the proxy, the request for a token included. */
async function shownThrough(proxy: string, url: string): Promise<string[]> {
	const engine = await createEngine({ credentials: credentialsAt(`${url}/account-${++accounts}`) });
	const requestOptions = { proxy, allowUnauthorizedCerts: true };
	const runs = await Promise.all([
		cancelBooking({ engine }, { requestOptions }),
		getSubscription({ engine }, { requestOptions }),
		engine.execute({
			node: 'hospitalityPayment',
			parameters: { resource: 'customer', operation: 'authenticate', requestOptions },
		}),
	]);
	return runs.map(shown);
}

async function expectProxyBlamed(proxy: string, url: string, happened: RegExp): Promise<void> {
	for (const text of await shownThrough(proxy, url)) {
		expect(text).toMatch(happened);
		expect(text).toContain("'Proxy' in Request Options");
		expect(text).not.toMatch(/may have been made|Secret|Password|Customer ID|service is running/);
	}
}

it('A proxy that does not respond, is not known or hangs up is named, not the service', async () => {
	const hangsUp = await proxyThat((socket) => void socket.destroy());
	const [http, https] = [service.url, secureService.url];
	const cases: Array<Parameters<typeof expectProxyBlamed>> = [
		['http://127.0.0.1:9', http, /^Nothing responds at the proxy/],
		['http://127.0.0.1:9', https, /^Nothing responds at the proxy/],
		['http://no-such-proxy.invalid:3128', http, /^The host of the proxy is not known/],
		['http://no-such-proxy.invalid:3128', https, /^The host of the proxy is not known/],
		[hangsUp, https, /^The connection to the proxy broke/],
	];
	// Side by side: a call that reads is repeated, and waits between.
	await Promise.all(cases.map(async (given) => await expectProxyBlamed(...given)));
});

it.each([403, 407, 502, 503])(
	'A proxy that refuses to connect by %i is named, not the account',
	async (status) => {
		const proxy = await proxyThat((socket) => void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
		const happened = new RegExp(
			`^The proxy did not connect to '(Base|Payment|Token) URL[^']*' \\(${status}\\)`,
		);
		await expectProxyBlamed(proxy, secureService.url, happened);
	},
);
