import { type Engine, createEngine } from '../../support/engine';
import {
	type Received,
	type TestServer,
	credentialsAt,
	sendJson,
	startServer,
	tokenFor,
} from '../../support/server';
import { cancelBooking, getCustomers, getSubscription, shown } from '../../support/standIn';

const here = {} as { engine: Engine };
let service: TestServer;
let elsewhere: TestServer;
/** What the service sends on, and where to. */
let redirect: { what: RegExp; status: number; location?: string };

const CALLS = /^\/(api|subscriptions)\//;
const TOKENS = /^\/(connect\/token|authentication)$/;

beforeEach(async () => {
	elsewhere = await startServer((_, response) => sendJson(response, []));
	service = await startServer((request, response) => {
		if (redirect.what.test(request.url)) {
			const { status, location } = redirect;
			return void response.writeHead(status, location === undefined ? {} : { location }).end();
		}
		const isList = request.url.includes('customers');
		sendJson(response, tokenFor(request) ?? (isList ? [{ id: 1 }] : { Status: 'Active' }));
	});
	here.engine = await createEngine({ credentials: credentialsAt(service.url) });
});

afterEach(async () => {
	expect(elsewhere.received).toEqual([]);
	await service.close();
	await elsewhere.close();
});

const isCall = ({ url }: Received) => CALLS.test(url);
const lastGet = () => service.received.filter(({ method }) => method === 'GET')[1];

describe('a call that changes something', () => {
	it.each([302, 308])('is not sent on by a %i, not even to the same host', async (status) => {
		redirect = { what: CALLS, status, location: '/api/elsewhere?token=hidden' };
		const run = await cancelBooking(here);

		expect(shown(run)).toContain(`'Base URL' redirects to ${service.url}/api/elsewhere (${status})`);
		expect(shown(run)).not.toContain('hidden');
		expect(service.received.filter(isCall)).toHaveLength(1);
	});

	it('is not sent to another host, which hears nothing of it', async () => {
		redirect = { what: CALLS, status: 302, location: `${elsewhere.url}/x` };

		expect(shown(await cancelBooking(here))).toContain(`${elsewhere.url}/x`);
	});

	it('names no account that stands in the address', async () => {
		redirect = { what: CALLS, status: 302, location: 'https://anna:hidden@other.example.com/x' };
		const run = await cancelBooking(here);

		expect(shown(run)).toContain('https://other.example.com/x');
		expect(shown(run)).not.toContain('hidden');
	});
});

describe('a GET', () => {
	it.each([302, 308])('follows a %i within the origin, with token and system', async (status) => {
		redirect = { what: CALLS, status, location: '/v2/customers?page=1' };
		const run = await getCustomers(here);

		expect(run.json()).toEqual([{ id: 1 }]);
		expect(lastGet()).toMatchObject({
			url: '/v2/customers?page=1',
			headers: { authorization: 'Bearer a-token-of-the-test', system: 'the-system' },
		});
	});

	it('with a body keeps it within the origin', async () => {
		redirect = { what: CALLS, status: 307, location: '/v1/plans/' };
		const run = await getSubscription(here);

		expect(run.error).toBeUndefined();
		expect(lastGet()).toMatchObject({ url: '/v1/plans/', body: '{"Id":"plan-1001"}' });
	});

	it('is not sent to another host, which gets neither token nor system, with a body or without', async () => {
		redirect = { what: CALLS, status: 307, location: `${elsewhere.url}/x` };

		expect(shown(await getCustomers(here))).toContain(`'Base URL' redirects to ${elsewhere.url}/x (307)`);
		expect(shown(await getSubscription(here))).toContain(`'Payment URL' redirects to ${elsewhere.url}/x`);
	});

	it('leaves a circle after 5 steps', async () => {
		redirect = { what: CALLS, status: 302, location: '/api/booking/v1/booking/customers' };

		expect(shown(await getCustomers(here))).toContain('redirects to');
		expect(service.received.filter(isCall)).toHaveLength(6);
	});

	it('that leads nowhere is said so', async () => {
		redirect = { what: CALLS, status: 302 };

		expect(shown(await getCustomers(here))).toContain("'Base URL' redirects without a target (302)");
	});
});

it('A request for a token is not sent on, so the secret stays with the address that was entered', async () => {
	redirect = { what: TOKENS, status: 307, location: `${elsewhere.url}/login` };
	const target = `redirects to ${elsewhere.url}/login (307)`;

	expect(shown(await getCustomers(here))).toContain(`'Token URL Base' ${target}`);
	expect(shown(await getSubscription(here))).toContain(`'Payment URL' ${target}`);
});

it.each([
	['the request for a token', TOKENS, 'Token URL Base'],
	['the call that proves access', CALLS, 'Base URL'],
])('A credential test follows no redirect of %s', async (_, what, field) => {
	redirect = { what, status: 302, location: `${elsewhere.url}/login` };
	const { status, message } = await here.engine.testCredential('hospitalityBookingApi');

	expect(status).toBe('Error');
	expect(message).toContain(`'${field}' redirects to ${elsewhere.url}/login (302)`);
});
