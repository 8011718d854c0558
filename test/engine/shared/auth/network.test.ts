import type { INodeParameters } from 'n8n-workflow';

import { makeSelfSignedCertificate } from '../../support/certificate';
import { type Engine, createEngine } from '../../support/engine';
import {
	type Received,
	type TestServer,
	credentialsAt,
	sendJson,
	startServer,
	tokenFor,
} from '../../support/server';
import { getCustomers, getSubscription, shown } from '../../support/standIn';

/** Hosts that do not exist: only a proxy can answer for them. */
const NOWHERE = { booking: 'http://booking.invalid', payment: 'http://payment.invalid' };

let server: TestServer | undefined;
const here = {} as { engine: Engine };

afterEach(async () => await server?.close());

const respond = (request: Received, response: Parameters<typeof sendJson>[0]) => {
	const { pathname } = new URL(request.url, 'http://localhost');
	sendJson(response, tokenFor({ ...request, url: pathname }) ?? (pathname.includes('customers') ? [] : {}));
};

async function makeEngine(booking: string, payment = booking): Promise<void> {
	const { hospitalityBookingApi } = credentialsAt(booking);
	const { hospitalityPaymentApi } = credentialsAt(payment);
	here.engine = await createEngine({ credentials: { hospitalityBookingApi, hospitalityPaymentApi } });
}

/** What is shown of a call to each service with these Request Options. */
const shownWith = async (requestOptions: INodeParameters) => [
	shown(await getCustomers(here, { requestOptions })),
	shown(await getSubscription(here, { requestOptions })),
];
const NOTHING = Array(2).fill('undefined | undefined');

describe("a node's Request Options", () => {
	it('send the request for a token through the proxy too', async () => {
		server = await startServer(respond);
		await makeEngine(NOWHERE.booking, NOWHERE.payment);

		expect(await shownWith({ proxy: server.url })).toEqual(NOTHING);
		expect(server.received.map(({ url }) => url.split('?')[0])).toEqual([
			'http://booking.invalid/connect/token',
			'http://booking.invalid/api/booking/v1/booking/customers',
			'http://payment.invalid/authentication',
			'http://payment.invalid/subscriptions/',
		]);
	});

	it('end the request for a token when the time is over', async () => {
		server = await startServer((request, response) => {
			if (!request.url.includes('token') && request.url !== '/authentication') respond(request, response);
		});
		await makeEngine(server.url);

		expect(await shownWith({ timeout: 200 })).toEqual([
			expect.stringContaining("'Token URL Base' did not respond in time"),
			expect.stringContaining("'Payment URL' did not respond in time"),
		]);
	});
});

describe('a certificate that nobody trusts', () => {
	beforeEach(async () => {
		server = await startServer(respond, makeSelfSignedCertificate());
		await makeEngine(server.url);
	});

	it('is named by the request for a token', async () => {
		const [booking, payment] = await shownWith({});

		expect(booking).toContain("The certificate of 'Token URL Base' is self-signed");
		expect(booking).toContain("'Ignore SSL Issues (Insecure)'");
		expect(payment).toContain("The certificate of 'Payment URL' is self-signed");
	});

	it('is named by the call, with the older helper too', async () => {
		await shownWith({ allowUnauthorizedCerts: true });

		expect(await shownWith({})).toEqual([
			expect.stringContaining("The certificate of 'Base URL' is self-signed"),
			expect.stringContaining("The certificate of 'Payment URL' is self-signed"),
		]);
		expect(server?.received.filter(({ url }) => url.includes('/api/'))).toHaveLength(1);
	});

	it('is named by the credential tests', async () => {
		const booking = await here.engine.testCredential('hospitalityBookingApi');
		const payment = await here.engine.testCredential('hospitalityPaymentApi', 'hospitalityPayment');

		expect(booking.message).toContain("The certificate of 'Token URL Base' is self-signed");
		expect(payment.message).toContain("The certificate of 'Payment URL' is self-signed");
	});
});
