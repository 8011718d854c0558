import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import pick from 'lodash/pick';
import { jsonStringify } from 'n8n-workflow';

import type { Fault } from '../../../../sandbox/control/faults.ts';
import { happen } from '../../../../sandbox/control/happen.ts';
import { forgetAll } from '../../../../nodes/shared/values/recentMap';
import { findsSecret } from '../../../support/secrets';
import { type Engine, type ExecuteOptions, createEngine } from '../../support/engine';
import { answerTo, everyOperation } from '../../support/everyOperation';
import { type Received, credentialsAt, sendJson, tokenFor, useServer } from '../../support/server';

/** A mishap comes to each fifth kind of call. */
const SHARE = 5;

/** With characters that each way of writing a text writes differently. */
const secrets = {
	'client secret': 'pl4nted cl/ient+s"ecret<&>%ö',
	password: ' pl4nted pa/ss+w"ord<&>%ö',
	'access token': 'pl4nted.access+token/of~the_test==',
	'payment token': 'pl4nted.payment+token/of~the_test==',
	'extra header': 'pl4nted h/eader+"<&>%ö',
};

/** The request itself as the response. */
interface Echo {
	kind: 'echo';
	status: number;
	as: 'json' | 'form' | 'html' | 'text' | 'base64' | 'location';
}

/** What goes wrong: what the sandbox can inject, or an echo. */
type Mishap = Fault | Echo;

const mishaps: Mishap[] = [
	...([200, 400, 401, 500] as const).flatMap((status) =>
		(['json', 'form', 'html', 'text', 'base64'] as const).map((as): Echo => ({
			kind: 'echo',
			status,
			as,
		})),
	),
	{ kind: 'echo', status: 302, as: 'location' },
	{ kind: 'status', status: 418, body: { title: 'Not today' } },
	{ kind: 'delay', ms: 1 },
	{ kind: 'cut' },
	{ kind: 'cutMidBody' },
	{ kind: 'malformed' },
	{ kind: 'html' },
	{ kind: 'html', status: 200 },
	{ kind: 'empty' },
	{ kind: 'empty', status: 500 },
	{ kind: 'rateLimit', retryAfter: 'seconds', seconds: 0 },
];

const nameOf = (mishap: Mishap) => Object.values(mishap).map(String).join(' ');

/** Not 'Authenticate' itself, which carries the extra headers. */
const isToken = (request: Received) => Boolean(tokenFor(request)) && !request.headers['x-key'];
const makesToken = ({ url }: Received) => /^\/(authentication|connect)/.test(url);

/** What the service of a request knows of the caller's secrets: a request for a token carries few. */
function knownTo(request: Received): Record<string, string> {
	const isPayment = !/^\/(api|connect)/.test(request.url);
	const [secret, token] = isPayment
		? (['password', 'payment token'] as const)
		: (['client secret', 'access token'] as const);
	return pick(secrets, [
		secret,
		...(makesToken(request) ? [] : [token]),
		...(isToken(request) ? [] : ['extra header' as const]),
	]);
}

let mishap: { concerns: (request: Received) => boolean; what: Mishap } | undefined;
let engine: Engine;

function echo({ status, as }: Echo, request: Received, response: ServerResponse): void {
	const known = knownTo(request);
	const everything = { ...request.headers, body: request.body, ...known };
	const texts = Object.entries(everything).map(([name, value]): [string, string] => [
		name,
		String(value),
	]);
	const form = new URLSearchParams(texts).toString();
	const base64 = Object.values(known).map((secret) =>
		Buffer.from(`id:${secret}`).toString('base64'),
	);
	const json = JSON.stringify({ title: 'Received', detail: request.body, errors: everything });
	const bodies = {
		json: ['application/json', json],
		form: ['text/plain', form],
		text: ['text/plain', Object.values(everything).join('\n')],
		html: ['text/html', `<html><title>${JSON.stringify(everything)}</title></html>`],
		base64: ['text/plain', base64.join(' ')],
		location: ['text/plain', ''],
	} as const;
	const [type, body] = bodies[as];
	const path = Object.values(known).map(encodeURIComponent).join('/');
	const raw = Object.values(known).join('/').replace(/[?#%]/g, encodeURIComponent);
	const location = `https://other.example.com/${path}/${raw}?${form}`;
	response.writeHead(status, { 'content-type': type, ...(as === 'location' ? { location } : {}) });
	response.end(body);
}

/** What each request needs to go on. */
function succeed(request: Received, response: ServerResponse): void {
	const { url, body } = request;
	if (url.startsWith('/connect/token')) {
		return sendJson(response, { access_token: secrets['access token'], expires_in: 3600 });
	}
	if (url.startsWith('/authentication')) {
		return sendJson(response, {
			AuthenticationToken: secrets['payment token'],
			IsAuthenticated: true,
		});
	}
	sendJson(response, answerTo(url, body));
}

async function respond(request: Received, response: ServerResponse): Promise<void> {
	if (!mishap?.concerns(request)) return succeed(request, response);
	const { what } = mishap;
	mishap = undefined;
	if (what.kind === 'echo') return echo(what, request, response);
	if (!(await happen(what, response))) succeed(request, response);
}

const server = useServer((request, response) => void respond(request, response));

beforeEach(async () => {
	const { hospitalityBookingApi, hospitalityPaymentApi } = credentialsAt(server.url);
	const deployment = {
		extraHeaders: { entry: [{ name: 'X-Key', value: secrets['extra header'] }] },
	};
	engine = await createEngine({
		hospitalityBookingApi: {
			...hospitalityBookingApi,
			...deployment,
			clientSecret: secrets['client secret'],
		},
		hospitalityPaymentApi: { ...hospitalityPaymentApi, ...deployment, password: secrets.password },
	});
});

const run =
	(id: string, settings: Partial<ExecuteOptions> = {}) =>
	async () => {
		const { node = '', parameters } = everyOperation.find((operation) => operation.id === id) ?? {};
		return (
			await engine.execute({ node, parameters: { ...parameters, output: 'raw' }, ...settings })
		).data;
	};
/** With the customer of the credential. */
const OWN_CUSTOMER = {
	parameters: { resource: 'customer', operation: 'authenticate', customer: 'own' },
};

/** One of each kind of call, and what it shows. */
const kinds: Record<string, () => Promise<unknown>> = {
	'a list': run('customer.getAll'),
	'a change': run('webBooking.cancel'),
	'a call without a documented response': run('contact.sendGuestMessage'),
	'a batch': run('article.batchUpdate'),
	'a GET with a body': run('subscription.get'),
	'an authentication': run('customer.authenticate', OWN_CUSTOMER),
	'an item that goes to the error output': run('webBooking.cancel', {
		onError: 'continueErrorOutput',
	}),
	'a poll': async () => {
		const workflow = engine.trigger({
			node: 'hospitalityBookingTrigger',
			parameters: { event: 'customerCreated' },
		});
		const first: unknown = await workflow.activate().catch((error: unknown) => error);
		return [first, workflow.state];
	},
	'a list search': async () =>
		await engine
			.listSearch({ node: 'hospitalityBooking', method: 'searchCustomers', parameters: {} })
			.catch((error: unknown) => error),
	'the test of a booking credential': async () =>
		await engine.testCredential('hospitalityBookingApi'),
	'the test of a payment credential': async () =>
		await engine.testCredential('hospitalityPaymentApi', 'hospitalityPayment'),
};

/** Those that ask for a token each in a way of their own. */
const ASKING_FOR_A_TOKEN = [
	'a change',
	'a GET with a body',
	'a poll',
	'the test of a booking credential',
	'the test of a payment credential',
];
/** Makes no other request. */
const ONLY_A_TOKEN = 'the test of a payment credential';

/** Everything a person or a log could be shown. */
async function shownBy(kind: () => Promise<unknown>): Promise<string> {
	const logged = engine.log.length;
	const shown = [await kind(), engine.log.slice(logged)];
	const everything = { depth: null, showHidden: true, maxArrayLength: null, maxStringLength: null };
	return `${inspect(shown, everything)}\n${jsonStringify(shown, { replaceCircularRefs: true })}`;
}

/** What a call succeeds with is the user's, whatever it holds. */
const isData = (what: Mishap) => what.kind === 'echo' && what.status === 200 && what.as !== 'html';

/** Every mishap comes to several kinds of call. */
const mishapsOf = (kind: string, names: string[]) =>
	mishaps
		.filter((_, index) => (index + names.indexOf(kind)) % SHARE === 0)
		.map((what) => [nameOf(what), what] as const);

describe.each(Object.entries(kinds))('%s shows no secret', (name, kind) => {
	const failures = mishapsOf(name, Object.keys(kinds)).filter(([, what]) => !isData(what));
	if (name !== ONLY_A_TOKEN) {
		it.each(failures)('when it meets %s', async (_name, what) => {
			mishap = { what, concerns: (request) => !isToken(request) };
			expect(findsSecret(await shownBy(kind), secrets)).toEqual([]);
			expect(mishap).toBeUndefined();
		});
	}

	if (ASKING_FOR_A_TOKEN.includes(name)) {
		it.each(mishapsOf(name, ASKING_FOR_A_TOKEN))(
			'when its request for a token meets %s',
			async (_name, what) => {
				mishap = { what, concerns: isToken };
				expect(findsSecret(await shownBy(kind), secrets)).toEqual([]);
				expect(mishap).toBeUndefined();
			},
		);
	}
});

describe('a token that comes otherwise than documented is not shown', () => {
	const fresh = 'pl4nted-fresh.token';
	const json = JSON.stringify({ access_token: fresh, AuthenticationToken: fresh });
	const bodies = [
		fresh,
		`access_token=${fresh}&expires_in=3600`,
		`Notice: deprecated\n${json}`,
		`[${json}]`,
	];

	it.each([...ASKING_FOR_A_TOKEN, 'an authentication'])('to %s', async (name) => {
		for (const [index, body] of bodies.entries()) {
			forgetAll();
			const contentType = index % 2 ? 'text/html' : 'application/json';
			mishap = { what: { kind: 'status', status: 200, body, contentType }, concerns: makesToken };
			const shown = await shownBy(async () => await kinds[name]?.());
			expect(shown).toMatch(/something other than data|No (access token|session) came from/);
			expect(findsSecret(shown, { fresh })).toEqual([]);
			expect(mishap).toBeUndefined();
		}
	});
});

describe('an account whose token was replaced', () => {
	const issued: string[] = [];
	let status = 0;
	const service = useServer((request, response) => {
		if (isToken(request)) {
			const token = `pl4nted-token-${issued.push(`pl4nted-token-${issued.length + 1}`)}`;
			return sendJson(response, { access_token: token, AuthenticationToken: token });
		}
		const detail = issued.join(' and ');
		const validationResult = { generalErrors: [{ message: `Not with ${detail}` }] };
		sendJson(response, { detail, validationResult }, issued.length < 2 ? 401 : status);
	});

	it.each([
		['webBooking.cancel', 400],
		['subscription.get', 400],
		['checkoutBooking.checkOut', 200],
	])('shows neither the old nor the new one: %s', async (id, final) => {
		issued.length = 0;
		status = final;
		const own = await createEngine(credentialsAt(service.url));
		const { node = '', parameters } = everyOperation.find((operation) => operation.id === id) ?? {};
		const { error } = await own.execute({ node, parameters });

		expect(issued).toHaveLength(2);
		expect(`${error?.message} ${error?.description}`).toContain('*** and ***');
	});
});

it('The sweep sees what it looks for: a mishap reaches the call, and a planted secret is found', async () => {
	const what: Fault = { kind: 'status', status: 400, body: { title: 'marked words' } };
	mishap = { what, concerns: (request) => !isToken(request) };
	const shown = await shownBy(run('webBooking.cancel'));

	expect(shown).toContain('marked words');
	expect(findsSecret(shown + secrets['access token'], secrets)).toContain('access token, plain');
});
