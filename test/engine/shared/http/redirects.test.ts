import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { type Engine, type Run, createEngine } from '../../support/engine';
import { type Received, type TestServer, sendJson, startServer, tokenFor } from '../../support/server';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

let service: TestServer;
let elsewhere: TestServer;
let engine: Engine;
/** Where the service sends a call on to, by its path; undefined for an ordinary response. */
let redirect: (request: Received) => { status: number; location?: string } | undefined;

beforeEach(async () => {
	redirect = () => undefined;
	elsewhere = await startServer((_, response) => sendJson(response, []));
	service = await startServer((request, response) => {
		const onward = redirect(request);
		if (onward) {
			response.writeHead(onward.status, onward.location === undefined ? {} : { location: onward.location });
			response.end();
		} else
			sendJson(
				response,
				tokenFor(request) ?? (request.url.includes('customers') ? [{ id: 1 }] : { Status: 'Active' }),
			);
	});
	engine = await createEngine({
		credentials: { hospitalityBookingApi: bookingData(), hospitalityPaymentApi: paymentData() },
	});
});

afterEach(async () => {
	await service.close();
	await elsewhere.close();
});

const bookingData = (): ICredentialDataDecryptedObject => ({
	baseUrl: service.url,
	authUrl: service.url,
	clientId: 'the-client',
	clientSecret: 'the-secret',
	system: 'the-system',
});
const paymentData = (): ICredentialDataDecryptedObject => ({
	payUrl: service.url,
	customerId: '4711',
	password: 'the-password',
	carriedAs: 'bearer',
});

const isApi = ({ url }: Received) => url.startsWith('/api/') || url.startsWith('/subscriptions');

async function getCustomers(): Promise<Run> {
	return await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', output: 'raw' },
	});
}

async function cancelBooking(): Promise<Run> {
	return await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'webBooking', operation: 'cancel', webBookingId: GUID },
	});
}

async function getSubscription(): Promise<Run> {
	return await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: 'plan-1001' },
	});
}

const shown = ({ error }: Run) => `${String(error?.message)} | ${String(error?.description)}`;

describe('a call that changes something', () => {
	it.each([301, 302, 303, 307, 308])('is not sent on by a %i, not even to the same host', async (status) => {
		redirect = (request) =>
			isApi(request) ? { status, location: '/api/elsewhere?token=hidden' } : undefined;
		const run = await cancelBooking();

		expect(shown(run)).toContain(`'Base URL' redirects to ${service.url}/api/elsewhere (${status})`);
		expect(shown(run)).not.toContain('hidden');
		expect(service.received.filter(isApi)).toHaveLength(1);
	});

	it('is not sent to another host, which hears nothing of it', async () => {
		redirect = (request) => (isApi(request) ? { status: 302, location: `${elsewhere.url}/x` } : undefined);
		const run = await cancelBooking();

		expect(shown(run)).toContain(`${elsewhere.url}/x`);
		expect(elsewhere.received).toEqual([]);
	});

	it('names no account that stands in the address', async () => {
		redirect = (request) =>
			isApi(request) ? { status: 302, location: 'https://anna:hidden@other.example.com/x' } : undefined;

		expect(shown(await cancelBooking())).toContain('https://other.example.com/x');
		expect(shown(await cancelBooking())).not.toContain('hidden');
	});
});

describe('a GET', () => {
	it.each([301, 302, 303, 307, 308])(
		'follows a %i within the origin, with token and system',
		async (status) => {
			redirect = ({ url }) =>
				url.startsWith('/api/') ? { status, location: '/v2/customers?page=1' } : undefined;
			const run = await getCustomers();

			expect(run.json()).toEqual([{ id: 1 }]);
			const [, last] = service.received.filter(({ method }) => method === 'GET');
			expect(last?.url).toBe('/v2/customers?page=1');
			expect(last?.headers).toMatchObject({
				authorization: 'Bearer a-token-of-the-test',
				system: 'the-system',
			});
		},
	);

	it('is not sent to another host, which gets neither token nor system', async () => {
		redirect = ({ url }) =>
			url.startsWith('/api/') ? { status: 302, location: `${elsewhere.url}/x` } : undefined;
		const run = await getCustomers();

		expect(shown(run)).toContain(`${elsewhere.url}/x (302)`);
		expect(elsewhere.received).toEqual([]);
	});

	it('with a body keeps it within the origin and goes to no other host', async () => {
		redirect = ({ url }) =>
			url.startsWith('/subscriptions') ? { status: 307, location: '/v1/plans/' } : undefined;
		const run = await getSubscription();
		const [, last] = service.received.filter(({ method }) => method === 'GET');

		expect(run.error).toBeUndefined();
		expect(last).toMatchObject({ url: '/v1/plans/', body: '{"Id":"plan-1001"}' });

		redirect = ({ url }) =>
			url.startsWith('/subscriptions') ? { status: 307, location: `${elsewhere.url}/x` } : undefined;
		expect(shown(await getSubscription())).toContain(`'Payment URL' redirects to ${elsewhere.url}/x`);
		expect(elsewhere.received).toEqual([]);
	});

	it('leaves a circle after 5 steps', async () => {
		redirect = ({ url }) => (url.startsWith('/api/') ? { status: 302, location: url } : undefined);

		expect(shown(await getCustomers())).toContain('redirects to');
		expect(service.received.filter(isApi)).toHaveLength(6);
	});

	it('that leads nowhere is said so', async () => {
		redirect = ({ url }) => (url.startsWith('/api/') ? { status: 302 } : undefined);

		expect(shown(await getCustomers())).toContain("'Base URL' redirects without a target (302)");
	});
});

describe('a request for a token', () => {
	it.each([301, 302, 307])(
		'is not sent on by a %i, so the secret stays with the address that was entered',
		async (status) => {
			redirect = ({ url }) =>
				url === '/connect/token' || url === '/authentication'
					? { status, location: `${elsewhere.url}/login` }
					: undefined;

			expect(shown(await getCustomers())).toContain(
				`'Token URL Base' redirects to ${elsewhere.url}/login (${status})`,
			);
			expect(shown(await getSubscription())).toContain(
				`'Payment URL' redirects to ${elsewhere.url}/login (${status})`,
			);
			expect(elsewhere.received).toEqual([]);
		},
	);
});

describe('a credential test', () => {
	it.each([
		['the request for a token', (url: string) => url === '/connect/token', 'Token URL Base'],
		['the call that proves access', (url: string) => url.startsWith('/api/'), 'Base URL'],
	])('follows no redirect of %s', async (_, concerns, field) => {
		redirect = ({ url }) => (concerns(url) ? { status: 302, location: `${elsewhere.url}/login` } : undefined);
		const { status, message } = await engine.testCredential('hospitalityBookingApi');

		expect(status).toBe('Error');
		expect(message).toContain(`'${field}' redirects to ${elsewhere.url}/login (302)`);
		expect(elsewhere.received).toEqual([]);
	});
});
