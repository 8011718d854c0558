import { type Engine, createEngine } from '../../support/engine';
import { WAYS, answerTo, everyOperation } from '../../support/everyOperation';
import { type Received, credentialsAt, sendJson, tokenFor, useServer } from '../../support/server';
import { cancelBooking, getCustomers, getSubscription, shown } from '../../support/standIn';

const here = {} as { engine: Engine };
/** What the service sends on, and where to. */
let redirect: { what: RegExp; status: number; location?: string };

const CALLS = /^\/(api|subscriptions)\//;
const TOKENS = /^\/(connect\/token|authentication)$/;

const elsewhere = useServer((_, response) => sendJson(response, {}));
const service = useServer((request, response) => {
	const { url, body } = request;
	if (!redirect.what.test(url)) return sendJson(response, tokenFor(request) ?? answerTo(url, body));
	const { status, location } = redirect;
	response.writeHead(status, location === undefined ? {} : { location }).end();
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

it.each(everyOperation.filter(({ id }) => WAYS.includes(id)))(
	'the message says where it leads, and which address to check: $id',
	async ({ node, credential, parameters }) => {
		redirect = { what: /./, status: 308, location: `${elsewhere.url}/sign-in?back=token` };
		const message = shown(await here.engine.execute({ node, parameters }));

		expect(message).toContain(`redirects to ${elsewhere.url}/sign-in (308)`);
		expect(message).toMatch(
			credential === 'hospitalityBookingApi' ? /Check 'Token URL Base'/ : /Check 'Payment URL'/,
		);
	},
);
