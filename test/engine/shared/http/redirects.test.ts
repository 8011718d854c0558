import type { INodeParameters } from 'n8n-workflow';
import { type Engine, createEngine } from '../../support/engine';
import { WAYS, answerTo, everyOperation } from '../../support/everyOperation';
import { type Received, credentialsAt, sendJson, tokenFor, useServer } from '../../support/server';
import { cancelBooking, getCustomers, getSubscription, shown } from '../../support/standIn';

const here = {} as { engine: Engine };
/** What the service sends on, and where to; `*` for the path that was asked for. */
let redirect: { what: RegExp; status: number; location?: string };

/** Where the service may have moved to: a path of its own, which ends as those do that 'Base URL' may be copied with. */
const MOVED_TO = '/now/api-v2';
/** The paths that the service has. */
const KNOWN = /^\/(connect\/token|authentication|subscriptions\/|api\/(booking|am)\/v1\/(?!.*\/api\/).*)$/;

const CALLS = /^\/(api|subscriptions)\//;
const TOKENS = /^\/(connect\/token|authentication)$/;

const elsewhere = useServer((request, response) => {
	const url = request.url.replace(MOVED_TO, '');
	if (!request.url.startsWith(MOVED_TO) || !KNOWN.test(url)) return void response.writeHead(404).end();
	sendJson(response, tokenFor({ ...request, url }) ?? answerTo(url, request.body));
});
const service = useServer((request, response) => {
	const { url, body } = request;
	if (!redirect.what.test(url)) return sendJson(response, tokenFor(request) ?? answerTo(url, body));
	const { status, location } = redirect;
	response.writeHead(status, location === undefined ? {} : { location: location.replace('*', url) }).end();
});

beforeEach(async () => {
	here.engine = await createEngine(credentialsAt(service.url));
});

const isCall = ({ url }: Received) => CALLS.test(url);
const lastGet = () => service.received.filter(({ method }) => method === 'GET')[1];

describe('to an address that was not entered', () => {
	afterEach(() => expect(elsewhere.received).toEqual([]));

	it.each([302, 308])('a change is not sent on by a %i, not even to the same host', async (status) => {
		redirect = { what: CALLS, status, location: '/api/elsewhere?token=hidden' };
		const said = shown(await cancelBooking(here));

		expect(said).toContain(`'Base URL' redirects to ${service.url}/api/elsewhere (${status})`);
		expect(said).not.toContain('hidden');
		expect(service.received.filter(isCall)).toHaveLength(1);
	});

	describe('a GET', () => {
		it('with a body keeps it within the origin', async () => {
			redirect = { what: CALLS, status: 307, location: '/v1/plans/' };
			const run = await getSubscription(here);

			expect(run.error).toBeUndefined();
			expect(lastGet()).toMatchObject({ url: '/v1/plans/', body: '{"Id":"plan-1001"}' });
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

	it('a request for a token is not sent on, so the secret stays with the address that was entered', async () => {
		redirect = { what: TOKENS, status: 307, location: `${elsewhere.url}/login` };
		const target = `redirects to ${elsewhere.url}/login (307)`;

		expect(shown(await getCustomers(here))).toContain(`'Token URL Base' ${target}`);
		expect(shown(await getSubscription(here))).toContain(`'Payment URL' ${target}`);
	});

	it.each([
		['the request for a token', TOKENS, 'Token URL Base'],
		['the call that proves access', CALLS, 'Base URL'],
	])('a credential test follows no redirect of %s', async (_, what, field) => {
		redirect = { what, status: 302, location: `${elsewhere.url}/login` };
		const { status, message } = await here.engine.testCredential('hospitalityBookingApi');

		expect(status).toBe('Error');
		expect(message).toContain(`'${field}' redirects to ${elsewhere.url}/login (302)`);
	});
});

const FIELDS = { 'Base URL': 'baseUrl', 'Token URL Base': 'authUrl', 'Payment URL': 'payUrl' } as const;

/** Enters the address that a message names, in the field that it names. */
async function enter(credential: string, message: string): Promise<string> {
	const [, field = ''] = /'(Base URL|Token URL Base|Payment URL)'/.exec(message) ?? [];
	const [address = ''] = /https?:\/\/[^\s'),]+/.exec(message) ?? [];
	await here.engine.credentials.edit(credential, { [FIELDS[field as keyof typeof FIELDS]]: address });
	return field;
}

describe('the message names an address that works where it is entered, of a service that has moved', () => {
	beforeEach(() => (redirect = { what: /./, status: 308, location: `${elsewhere.url}${MOVED_TO}*` }));

	it.each(everyOperation)('$id', async ({ node, credential, parameters }) => {
		const fields: string[] = [];
		const run = async (given: INodeParameters) => await here.engine.execute({ node, parameters: given });
		for (let outcome = await run(parameters); outcome.error; outcome = await run(parameters)) {
			fields.push(await enter(credential, shown(outcome)));
			if (fields.length > 3) throw new Error(shown(outcome));
		}

		expect(fields).toEqual(
			credential === 'hospitalityBookingApi' ? ['Token URL Base', 'Base URL'] : ['Payment URL'],
		);
	});

	it.each([
		['hospitalityBookingApi', 'hospitalityBooking', 2],
		['hospitalityPaymentApi', 'hospitalityPayment', 1],
	])('the test of %s', async (credential, node, expected) => {
		let entered = 0;
		for (; entered <= 3; entered++) {
			const { status, message } = await here.engine.testCredential(credential, node);
			if (status === 'OK') break;
			await enter(credential, message);
		}

		expect(entered).toBe(expected);
	});
});

it.each(everyOperation.filter(({ id }) => WAYS.includes(id)))(
	'the message names no address to enter where the redirect leads to something else: $id',
	async ({ node, credential, parameters }) => {
		redirect = { what: /./, status: 308, location: `${elsewhere.url}/sign-in?back=*` };
		const message = shown(await here.engine.execute({ node, parameters }));

		expect(message).toContain('/sign-in');
		expect(message).not.toMatch(/enter it|enter that/i);
		expect(message).toMatch(
			credential === 'hospitalityBookingApi' ? /Check 'Token URL Base'/ : /Check 'Payment URL'/,
		);
	},
);
