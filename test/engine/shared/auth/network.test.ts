import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { makeSelfSignedCertificate } from '../../support/certificate';
import { type Engine, type Run, createEngine } from '../../support/engine';
import { type Received, type TestServer, sendJson, startServer, tokenFor } from '../../support/server';

/** Hosts that do not exist: only a proxy can answer for them. */
const NOWHERE = { booking: 'http://booking.invalid', payment: 'http://payment.invalid' };

let server: TestServer | undefined;
let engine: Engine;

afterEach(async () => await server?.close());

const respond = (request: Received, response: Parameters<typeof sendJson>[0]) => {
	const { pathname } = new URL(request.url, 'http://localhost');
	sendJson(response, tokenFor({ ...request, url: pathname }) ?? (pathname.includes('customers') ? [] : {}));
};

async function makeEngine(booking: string, payment: string): Promise<void> {
	const bookingData: ICredentialDataDecryptedObject = {
		baseUrl: booking,
		authUrl: booking,
		clientId: 'the-client',
		clientSecret: 'the-secret',
		system: 'the-system',
	};
	const paymentData = { payUrl: payment, customerId: '4711', password: 'the-password', carriedAs: 'bearer' };
	engine = await createEngine({
		credentials: { hospitalityBookingApi: bookingData, hospitalityPaymentApi: paymentData },
	});
}

const getCustomers = async (requestOptions: INodeParameters): Promise<Run> =>
	await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', requestOptions },
	});
const getSubscription = async (requestOptions: INodeParameters): Promise<Run> =>
	await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: 'plan-1001', requestOptions },
	});

const shown = ({ error }: Run) => `${String(error?.message)} | ${String(error?.description)}`;

describe("a node's Request Options", () => {
	it('send the request for a token through the proxy too', async () => {
		server = await startServer(respond);
		await makeEngine(NOWHERE.booking, NOWHERE.payment);
		const proxy = server.url;

		expect(shown(await getCustomers({ proxy }))).toBe('undefined | undefined');
		expect(shown(await getSubscription({ proxy }))).toBe('undefined | undefined');
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
		await makeEngine(server.url, server.url);

		expect(shown(await getCustomers({ timeout: 200 }))).toContain("'Token URL Base' did not respond in time");
		expect(shown(await getSubscription({ timeout: 200 }))).toContain("'Payment URL' did not respond in time");
	});

	it('let the request for a token go on without checking the certificate', async () => {
		server = await startServer(respond, makeSelfSignedCertificate());
		await makeEngine(server.url, server.url);

		expect(shown(await getCustomers({ allowUnauthorizedCerts: true }))).toBe('undefined | undefined');
		expect(shown(await getSubscription({ allowUnauthorizedCerts: true }))).toBe('undefined | undefined');
	});
});

describe('a certificate that nobody trusts', () => {
	beforeEach(async () => {
		server = await startServer(respond, makeSelfSignedCertificate());
		await makeEngine(server.url, server.url);
	});

	it('is named by the request for a token', async () => {
		const run = await getCustomers({});

		expect(shown(run)).toContain("The certificate of 'Token URL Base' is self-signed");
		expect(shown(run)).toContain("'Ignore SSL Issues (Insecure)'");
		expect(shown(await getSubscription({}))).toContain("The certificate of 'Payment URL' is self-signed");
	});

	it('is named by the call, with the older helper too', async () => {
		await getCustomers({ allowUnauthorizedCerts: true });
		await getSubscription({ allowUnauthorizedCerts: true });

		expect(shown(await getCustomers({}))).toContain("The certificate of 'Base URL' is self-signed");
		expect(shown(await getSubscription({}))).toContain("The certificate of 'Payment URL' is self-signed");
		expect(server?.received.filter(({ url }) => url.includes('/api/'))).toHaveLength(1);
	});

	it('is named by the credential tests', async () => {
		const booking = await engine.testCredential('hospitalityBookingApi');
		const payment = await engine.testCredential('hospitalityPaymentApi', 'hospitalityPayment');

		expect(booking.message).toContain("The certificate of 'Token URL Base' is self-signed");
		expect(payment.message).toContain("The certificate of 'Payment URL' is self-signed");
	});
});
