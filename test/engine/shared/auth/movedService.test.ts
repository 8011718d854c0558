import type { INodeParameters } from 'n8n-workflow';

import { forgetAll } from '../../../../nodes/shared/values/recentMap';
import { answerTo, everyOperation, WAYS } from '../../support/everyOperation';
import { type Engine, createEngine } from '../../support/engine';
import { type TestServer, credentialsAt, sendJson, startServer, tokenFor } from '../../support/server';

/** Where the service is now: behind a path of its own, which ends as those do that 'Base URL' may be copied with. */
const PREFIX = '/now/api-v2';

/** The paths that the service has. */
const KNOWN = /^\/(connect\/token|authentication|subscriptions\/|api\/(booking|am)\/v1\/(?!.*\/api\/).*)$/;

const FIELDS = { 'Base URL': 'baseUrl', 'Token URL Base': 'authUrl', 'Payment URL': 'payUrl' } as const;

let old: TestServer;
let now: TestServer;
let engine: Engine;
/** What the old address redirects, and where to. */
let redirects: { what: RegExp; to: string };

beforeAll(async () => {
	now = await startServer((request, response) => {
		const url = request.url.replace(PREFIX, '');
		if (!request.url.startsWith(PREFIX) || !KNOWN.test(url)) return void response.writeHead(404).end();
		sendJson(response, tokenFor({ ...request, url }) ?? answerTo(url, request.body));
	});
	old = await startServer((request, response) => {
		const { url, body } = request;
		if (redirects.what.test(url)) {
			response.writeHead(308, { location: redirects.to.replace('*', url) });
			return void response.end();
		}
		sendJson(response, tokenFor(request) ?? answerTo(url, body));
	});
});

afterAll(async () => {
	await old.close();
	await now.close();
});

beforeEach(async () => {
	forgetAll();
	redirects = { what: /./, to: `${now.url}${PREFIX}*` };
	engine = await createEngine({ credentials: credentialsAt(old.url) });
});

/** Enters the address that a message names, in the field that it names. */
async function enter(credential: string, message: string): Promise<string> {
	const [, field = ''] = /'(Base URL|Token URL Base|Payment URL)'/.exec(message) ?? [];
	const [address = ''] = /https?:\/\/[^\s'),]+/.exec(message) ?? [];
	await engine.credentials.edit(credential, { [FIELDS[field as keyof typeof FIELDS]]: address });
	return field;
}

const shown = ({ error }: { error?: { message: string; description?: string | null } }) =>
	error && `${error.message}. ${error.description ?? ''}`;

describe('the message about a redirect names an address that works where it is entered', () => {
	it.each(everyOperation)('$id', async ({ node, credential, parameters }) => {
		const run = async (given: INodeParameters) => shown(await engine.execute({ node, parameters: given }));
		const fields: string[] = [];
		for (let message = await run(parameters); message; message = await run(parameters)) {
			fields.push(await enter(credential, message));
			if (fields.length > 3) throw new Error(message);
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
			const { status, message } = await engine.testCredential(credential, node);
			if (status === 'OK') break;
			await enter(credential, message);
		}

		expect(entered).toBe(expected);
	});
});

describe('the message about a redirect to something else names no address to enter', () => {
	it.each(everyOperation.filter(({ id }) => WAYS.includes(id)))(
		'$id',
		async ({ node, credential, parameters }) => {
			redirects = { what: /./, to: `${now.url}/sign-in?back=*` };
			const message = shown(await engine.execute({ node, parameters }));

			expect(message).toContain('/sign-in');
			expect(message).not.toMatch(/enter it|enter that/i);
			expect(message).toMatch(
				credential === 'hospitalityBookingApi' ? /Check 'Token URL Base'/ : /Check 'Payment URL'/,
			);
		},
	);
});
