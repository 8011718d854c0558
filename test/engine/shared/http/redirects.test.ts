import { type Engine, createEngine } from '../../support/engine';
import { answerTo } from '../../support/everyOperation';
import { credentialsAt, sendJson, tokenFor, useServer } from '../../support/server';
import { getCustomers, getSubscription, shown } from '../../support/standIn';

const here = {} as { engine: Engine };
/** What the service sends on, and where to. */
let redirect: { what: RegExp; status: number; location: string };

const CALLS = /^\/(api|subscriptions)\//;
const TOKENS = /^\/(connect\/token|authentication)$/;

const elsewhere = useServer((_, response) => sendJson(response, {}));
const service = useServer((request, response) => {
	const { url, body } = request;
	if (!redirect.what.test(url)) return sendJson(response, tokenFor(request) ?? answerTo(url, body));
	const { status, location } = redirect;
	response.writeHead(status, { location }).end();
});

beforeEach(async () => {
	here.engine = await createEngine(credentialsAt(service.url));
});

describe('a redirect', () => {
	afterEach(() => expect(elsewhere.received).toEqual([]));

	it('of a GET with a body keeps that, within the origin', async () => {
		redirect = { what: CALLS, status: 307, location: '/v1/plans/' };
		const run = await getSubscription(here);

		expect(run.error).toBeUndefined();
		expect(service.received.at(-1)).toMatchObject({
			url: '/v1/plans/',
			body: '{"Id":"plan-1001"}',
		});
	});

	it('of a request for a token is not followed, so the secret stays with the address that was entered', async () => {
		redirect = { what: TOKENS, status: 307, location: `${elsewhere.url}/login` };
		const target = `redirects to ${elsewhere.url}/login (307)`;

		expect(shown(await getCustomers(here))).toContain(`'Token URL Base' ${target}`);
		expect(shown(await getSubscription(here))).toContain(`'Payment URL' ${target}`);
	});

	it.each([
		['the request for a token', TOKENS, 'Token URL Base'],
		['the call that proves access', CALLS, 'Base URL'],
	])('is not followed by the test of a credential: %s', async (_, what, field) => {
		redirect = { what, status: 302, location: `${elsewhere.url}/login` };
		const { status, message } = await here.engine.testCredential('hospitalityBookingApi');

		expect(status).toBe('Error');
		expect(message).toContain(`'${field}' redirects to ${elsewhere.url}/login (302)`);
	});
});
