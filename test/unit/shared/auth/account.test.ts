import attempt from 'lodash/attempt';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	IPollFunctions,
	NodeApiError,
} from 'n8n-workflow';

import { authenticate, renewSession } from '../../../../nodes/shared/auth/signing';
import { bookingAuth, systemOf } from '../../../../nodes/shared/auth/booking';
import { paymentAuth } from '../../../../nodes/shared/auth/payment';
import {
	type CredentialName,
	type ServiceRequest,
	openAccount,
} from '../../../../nodes/shared/auth/account';
import { checkSameForAllItems } from '../../../../nodes/shared/auth/sameForAll';
import type { CallingContext } from '../../../../nodes/shared/http/helpers';
import { forgetAll } from '../../../../nodes/shared/values/recentMap';
import { digest } from '../../../sandbox/support/client';
import { fc } from '../../../support/property';

const BOOKING = {
	baseUrl: 'http://service',
	authUrl: 'http://identity',
	clientId: 'client',
	clientSecret: 'the-secret',
	system: 'first',
	timeZone: 'Europe/Stockholm',
};
const PAYMENT = { payUrl: 'http://pay', customerId: '4711', password: ' the-password ' };
const CREDENTIALS = [
	['hospitalityBookingApi', BOOKING, bookingAuth],
	['hospitalityPaymentApi', PAYMENT, paymentAuth],
] as const;

/** Where the errors of a call say that it was made. */
const PLACE = { node: { type: 'test' } as INode, action: 'Call' };

beforeEach(() => forgetAll());

it.each(CREDENTIALS)(
	"%s: an address that is not refused leads to the credential's origin, whatever follows",
	(_, stored, auth) => {
		const address = 'baseUrl' in stored ? stored.baseUrl : stored.payUrl;
		const hostile = fc.string({
			unit: fc.constantFrom('/', '\\', '@', ':', '.', '#', '?', '\t', '%', 'a'),
		});
		fc.assert(
			fc.property(fc.oneof(hostile, fc.string()), (rest) => {
				const asked = `${address}/${rest}`;
				const request = { url: asked, method: 'GET' } as const;
				const { url } = attempt(authenticate, auth, { ...stored }, request) as IHttpRequestOptions;
				if (url !== undefined) expect(new URL(url).origin).toBe(new URL(address).origin);
			}),
		);
	},
);

/** A body as n8n's helpers give it. */
const asJson = (data: unknown) => Readable.from([Buffer.from(JSON.stringify(data))]);

/** How the services of a run respond. */
interface Responses {
	/** The status of each call, by its headers; 200 unless set. */
	statusOf?: (headers: IDataObject) => number;
	/** What a response with a token has besides the token. */
	issued?: IDataObject;
	headers?: IDataObject;
	body?: unknown;
}

/** A run whose services issue `token 1`, `token 2` …, and respond to its calls. */
function runWith(stored: ICredentialDataDecryptedObject, responses: Responses = {}) {
	const { statusOf = () => 200, issued = {}, body = [] } = responses;
	const tokenRequests: IHttpRequestOptions[] = [];
	const sent: IDataObject[] = [];
	const held: ICredentialDataDecryptedObject[] = [];
	const sentOptions: IHttpRequestOptions[] = [];
	const getCredentials = jest.fn(async () => stored);
	const httpRequest = async (options: IHttpRequestOptions) => {
		const token = `token ${tokenRequests.push(options)}`;
		return {
			statusCode: 200,
			headers: {},
			body: asJson({ access_token: token, AuthenticationToken: token, ...issued }),
		};
	};
	const call = async (
		_context: unknown,
		type: string,
		options: IHttpRequestOptions,
		{ credentialsDecrypted }: IAdditionalCredentialOptions,
	) => {
		const data = credentialsDecrypted?.data ?? {};
		const auth = type === 'hospitalityBookingApi' ? bookingAuth : paymentAuth;
		const signed = authenticate(auth, data, options);
		const { headers = {} } = signed;
		held.push(data);
		sentOptions.push(options);
		sent.push(headers);
		return {
			statusCode: statusOf(headers),
			headers: responses.headers ?? {},
			body: asJson(body),
		};
	};
	const helpers = { httpRequest, httpRequestWithAuthentication: { call } };
	const poll = { getCredentials, helpers } as unknown as IPollFunctions;
	const run = { getCredentials, helpers } as unknown as IExecuteFunctions;
	/** Opens the account; the function that it returns makes calls of it. */
	const open = async (credential: CredentialName, context: CallingContext = run) => {
		const account = await openAccount(context, credential);
		return async (request: Partial<ServiceRequest> = {}) =>
			await account.call({ method: 'GET', path: '/path', ...request }, PLACE).then(
				({ status }) => status,
				({ httpCode }: NodeApiError) => Number(httpCode),
			);
	};
	const send = async (credential: CredentialName, request?: Partial<ServiceRequest>) =>
		await (
			await open(credential)
		)(request);
	const tokens = () => sent.map(({ Authorization }) => Authorization);
	return {
		getCredentials,
		run,
		poll,
		open,
		send,
		sent,
		held,
		options: sentOptions,
		tokens,
		tokenRequests,
	};
}

const isNot = (token: string) => (headers: IDataObject) =>
	headers.Authorization === `Bearer ${token}` ? 401 : 200;

it('reads the credential once for all calls of a run, those under way together included', async () => {
	const { getCredentials, open } = runWith(BOOKING);
	const send = await open('hospitalityBookingApi');

	expect(await Promise.all([send(), send()])).toEqual([200, 200]);
	expect(await send()).toBe(200);
	expect(getCredentials).toHaveBeenCalledTimes(1);
});

it('reads the credential anew for the next poll, though n8n keeps the context', async () => {
	const { getCredentials, poll, open } = runWith(BOOKING);
	for (let polls = 1; polls <= 2; polls++) {
		const send = await open('hospitalityBookingApi', poll);
		await send();
		await send();
		expect(getCredentials).toHaveBeenCalledTimes(polls);
	}
});

it('has one queue with every run and node of the same account, and none with another', async () => {
	const queueWith = async (stored: ICredentialDataDecryptedObject) =>
		(await openAccount(runWith(stored).run, 'hospitalityBookingApi')).queue;

	expect(await queueWith(BOOKING)).toBe(await queueWith({ ...BOOKING }));
	expect(await queueWith(BOOKING)).not.toBe(await queueWith({ ...BOOKING, clientId: 'other' }));
});

describe.each([
	['hospitalityBookingApi', BOOKING, ['baseUrl', 'authUrl', 'clientId', 'clientSecret']],
	['hospitalityPaymentApi', PAYMENT, ['payUrl', 'customerId', 'password']],
] as const)('a run with %s that was edited', (credential, data, fields) => {
	it.each(fields)('acts as what it says now: %s', async (field) => {
		const stored: ICredentialDataDecryptedObject = { ...data };
		const { send, tokens, options, tokenRequests } = runWith(stored);
		await send(credential);
		await send(credential);
		expect(decodeURIComponent(JSON.stringify([tokenRequests, options]))).not.toContain('edited');
		stored[field] = 'http://edited';
		await send(credential);

		expect(tokens()).toEqual(['Bearer token 1', 'Bearer token 1', 'Bearer token 2']);
		expect(decodeURIComponent(JSON.stringify([tokenRequests[1], options[2]]))).toContain(
			'http://edited',
		);
	});
});

describe.each(CREDENTIALS)('a call with %s', (credential, data, auth) => {
	const stored = { ...data, sessionState: '' };

	it('takes a token of this process', async () => {
		const { send, tokens } = runWith(stored);
		await send(credential);
		await send(credential);

		expect(tokens()).toEqual(['Bearer token 1', 'Bearer token 1']);
	});

	it('is repeated once with another token after a 401, which the calls after it take', async () => {
		const { open, tokens, tokenRequests } = runWith(stored, { statusOf: isNot('token 1') });
		const send = await open(credential);

		expect(await Promise.all([send(), send()])).toEqual([200, 200]);
		expect(await send()).toBe(200);
		expect(tokenRequests).toHaveLength(2);
		expect(tokens().at(-1)).toBe('Bearer token 2');
	});

	it('ends with the second 401', async () => {
		const { send, sent } = runWith(stored, { statusOf: () => 401 });

		expect(await send(credential)).toBe(401);
		expect(sent).toHaveLength(2);
	});

	it('is made once where each is refused: 200 calls, 2 tokens', async () => {
		const { open, sent, tokenRequests } = runWith(stored, { statusOf: () => 401 });
		const send = await open(credential);
		for (let call = 0; call < 200; call++) await send();

		expect([sent.length, tokenRequests.length]).toEqual([201, 2]);
	});

	it('that a stopped run has not sent yet is not sent, and fails with the reason for the stop', async () => {
		const { run, sent } = runWith(stored);
		const account = await openAccount(run, credential);
		const reason = new Error('stopped');
		const call = account.call(
			{ method: 'GET', path: '/path', signal: AbortSignal.abort(reason) },
			PLACE,
		);

		await expect(call).rejects.toBe(reason);
		expect(sent).toEqual([]);
	});

	it('without a token asks for none and repeats nothing', async () => {
		const { send, tokens, tokenRequests } = runWith(stored, { statusOf: () => 401 });

		expect(await send(credential, { takesToken: false })).toBe(401);
		expect(tokens()).toEqual([undefined]);
		expect(tokenRequests).toEqual([]);
	});

	it("sends the call and the request for its token as the credential's certificate setting says", async () => {
		const { send, tokenRequests, options } = runWith({ ...stored, allowUnauthorizedCerts: true });
		await send(credential, { timeout: 7 });

		const isIgnored = { skipSslCertificateValidation: true };
		expect(tokenRequests).toMatchObject([{ timeout: 30_000, ...isIgnored }]);
		expect(options).toMatchObject([{ timeout: 7, ...isIgnored }]);
	});

	it('ends within a minute where the editor waits for it, by its deadline where it has one, and else by its timeout', async () => {
		const { open, options } = runWith(stored);
		const send = await open(credential);
		const timeout = 300_000;
		await send({ timeout });
		await send({ timeout, deadline: performance.now() + 30_000 });
		await send({ timeout, signal: new AbortController().signal });
		const [inEditor, byDeadline, ofRun] = options.map((sent) => sent.timeout);

		expect(inEditor).toBeLessThanOrEqual(60_000);
		expect(byDeadline).toBeLessThanOrEqual(30_000);
		expect(ofRun).toBe(timeout);
	});

	it('takes the token that was issued for it, though its time is over when it is signed', async () => {
		const { open, tokens } = runWith(stored, { issued: { expires_in: '0.000001' } });
		const send = await open(credential);

		expect(
			new Set(await Promise.all(Array.from({ length: 50 }, async () => await send()))),
		).toEqual(new Set([200]));
		expect(tokens()).not.toContain(undefined);
	});

	it('hands n8n a credential that it does not renew', async () => {
		const { run, send, held } = runWith(stored);
		await send(credential);

		expect(await renewSession(auth, run, held[0] ?? {})).toEqual({});
	});
});

it('shows none of the last tokens, however often another one was issued', async () => {
	let calls = 0;
	const { run, open, tokenRequests } = runWith(BOOKING, {
		issued: { expires_in: '0.000001' },
		statusOf: () => (calls++ < 30 ? 200 : 400),
		body: { title: 'Not with token 31, today' },
	});
	const send = await open('hospitalityBookingApi');
	for (let call = 0; call < 30; call++) await send();
	const account = await openAccount(run, 'hospitalityBookingApi');
	const failed = account.call({ method: 'GET', path: '/path' }, PLACE);

	await expect(failed).rejects.toMatchObject({
		description: expect.stringContaining('Not with ***, today') as string,
	});
	expect(tokenRequests).toHaveLength(31);
});

it('replaces a token before it expires', async () => {
	const { send, tokens } = runWith(BOOKING, { issued: { expires_in: '0.5' } });
	await send('hospitalityBookingApi');
	await sleep(455);
	await send('hospitalityBookingApi');

	expect(tokens()).toEqual(['Bearer token 1', 'Bearer token 2']);
});

it('keeps a token of 20 seconds for more than one call', async () => {
	const { send, tokens } = runWith(BOOKING, { issued: { expires_in: 20 } });
	for (let calls = 0; calls < 3; calls++) await send('hospitalityBookingApi');

	expect(tokens()).toEqual(Array(3).fill('Bearer token 1'));
});

it.each([400, 403, 404, 409, 410])('asks for no other token after a %i', async (status) => {
	const { send, tokenRequests } = runWith(BOOKING, { statusOf: () => status });

	expect(await send('hospitalityBookingApi')).toBe(status);
	expect(tokenRequests).toHaveLength(1);
});

it.each([
	[{ method: 'PUT', changedRecordLabel: 'the plan' }, true],
	[{ method: 'GET' }, false],
	[{ method: 'POST', takesToken: false }, false],
] as const)(
	'says of %j that it may have been made, and where to look: %p',
	async (request, isSaid) => {
		const { run } = runWith(PAYMENT, { statusOf: () => 500 });
		const account = await openAccount(run, 'hospitalityPaymentApi');
		const failed = await account
			.call({ path: '/path', giveUpAfterMs: 0, ...request }, PLACE)
			.catch(({ message, description }: NodeApiError) => `${message} ${description}`);

		expect(/may have been made.* Look at the plan .*before you repeat/.test(String(failed))).toBe(
			isSaid,
		);
		expect(/may have|before you/.test(String(failed))).toBe(isSaid);
		expect(/try again/i.test(String(failed))).toBe(!isSaid);
	},
);

it.each(CREDENTIALS)(
	"shows no secret of %s that the service sends back, its token's and the call's own",
	async (name, data) => {
		const own = 'clientSecret' in data ? data.clientSecret : data.password.trim();
		const extraHeaders = { entry: [{ name: 'X-Key', value: 'the-key' }] };
		const title = `${own}, the-key, token 1, the password of another customer`;
		const { run } = runWith({ ...data, extraHeaders }, { statusOf: () => 400, body: { title } });
		const account = await openAccount(run, name);
		const request = {
			method: 'POST',
			path: '/path',
			secrets: ['the password of another customer'],
		} as const;

		await expect(account.call(request, PLACE)).rejects.toMatchObject({
			description: expect.stringContaining('***, ***, ***, ***.') as string,
		});
	},
);

it('shows no secret of what is not foreseen', async () => {
	const { run } = runWith(BOOKING, {
		statusOf: () => {
			throw new Error('No the-secret');
		},
	});
	const account = await openAccount(run, 'hospitalityBookingApi');
	const failed = account.call({ method: 'GET', path: '/path' }, PLACE);

	await expect(failed).rejects.toThrow('No *** – Call');
});

it('hands on what a call succeeds with as it came: secrets, markup, control characters, backslashes', async () => {
	const html = '<a href="https://evil.example.com">\u202e\u0007x</a>';
	const body = [{ html, echoed: { 'the-secret': ['token 1'] }, message: '\\'.repeat(40_000) }];
	const { run } = runWith(BOOKING, { body });
	const account = await openAccount(run, 'hospitalityBookingApi');

	expect((await account.call({ method: 'GET', path: '/path' }, PLACE)).body).toEqual(body);
});

it.each([64 * 1024, 64 * 1024 + 1])(
	'takes a response with a token of at most 64 KB: %i bytes',
	async (bytes) => {
		const rest =
			bytes -
			JSON.stringify({ access_token: 'token 1', AuthenticationToken: 'token 1', rest: '' }).length;
		const { send, sent } = runWith(BOOKING, { issued: { rest: 'x'.repeat(rest) } });
		await send('hospitalityBookingApi', { giveUpAfterMs: 0 });

		expect(sent).toHaveLength(bytes > 64 * 1024 ? 0 : 1);
	},
);

describe.each(CREDENTIALS)("another node's call with %s", (_, stored, auth) => {
	const address = 'baseUrl' in stored ? stored.baseUrl : stored.payUrl;
	/** As n8n hands it to each call. */
	const read = () => ({ ...stored, sessionState: '' });
	const sign = (credentials: ICredentialDataDecryptedObject) =>
		authenticate(auth, credentials, { url: `${address}/path`, method: 'GET' });

	it('gets a token of this process, of which nothing is stored', async () => {
		const { run, tokenRequests } = runWith(read());
		for (const credentials of [read(), read()]) {
			expect(await renewSession(auth, run, credentials)).toEqual({});
			expect(sign(credentials)).toMatchObject({
				headers: { Authorization: 'Bearer token 1' },
				disableFollowRedirect: true,
			});
			expect(JSON.stringify(credentials)).toBe(JSON.stringify(read()));
		}
		expect(tokenRequests).toHaveLength(1);
	});

	it('has another token after it has failed', async () => {
		const { run } = runWith(read());
		const credentials = read();
		await renewSession(auth, run, credentials);
		await renewSession(auth, run, credentials);

		expect(sign(credentials).headers).toMatchObject({ Authorization: 'Bearer token 2' });
	});
});

it("leaves a 'system' header that the request has, in whatever case", () => {
	const request = {
		url: 'http://service/path',
		method: 'GET',
		headers: { System: 'another' },
	} as const;

	expect(authenticate(bookingAuth, { ...BOOKING }, request).headers).toEqual({ System: 'another' });
});

describe('a request to the payment service', () => {
	const sign = (more: object) =>
		authenticate(
			paymentAuth,
			{ ...PAYMENT },
			{ url: 'http://pay/subscriptions/', method: 'PUT', ...more },
		);

	it.each([
		['an object', { Id: 'plan-1' }, '{"Id":"plan-1"}'],
		['a text, as it is', '{"Id": "å"}\n', '{"Id": "å"}\n'],
		['bytes', Buffer.from('{}'), '{}'],
		['nothing', undefined, ''],
	])('has the Digest of its body, of %s', (_, body, sent) => {
		const signed = sign({ body, headers: { 'content-type': 'application/json' } });
		const { Digest, Location, Date: date } = signed.headers ?? {};

		expect([String(signed.body ?? ''), Digest]).toEqual([sent, digest(sent)]);
		expect(Location).toBe('http://pay/v1/subscriptions/');
		expect(new Date(String(date)).toUTCString()).toBe(date);
	});

	it.each([
		['application/json unless it has another', {}, 'application/json'],
		['its own, in whatever case', { 'content-TYPE': 'text/plain' }, 'text/plain'],
	])('has one content type: %s', (_, headers, contentType) => {
		const signed = sign({ body: 'text', headers });
		const types = Object.entries(signed.headers ?? {}).filter(([name]) => /content/i.test(name));

		expect(types).toEqual([['Content-Type', contentType]]);
	});

	it('has no content type without a body', () => {
		expect(sign({}).headers).not.toHaveProperty('Content-Type');
	});

	it.each(['form', 'formData'])('is not sent with a %s, which the Digest cannot cover', (kind) => {
		expect(() => sign({ [kind]: { Id: 'plan-1' } })).toThrow(
			"'Body' cannot be covered by the Digest header",
		);
	});
});

describe('a credential whose expressions read the item', () => {
	/** @returns how often it was read for other items than the first */
	async function check(
		systems: string[],
		ofItem = (item: number) => systems[item],
	): Promise<number> {
		const read = jest.fn(async (_: string, item: number) => ({
			...BOOKING,
			system: ofItem(item) ?? '',
		}));
		const items = systems.map(() => ({ json: {} }));
		const context = {
			getInputData: () => items,
			getCredentials: read,
		} as unknown as IExecuteFunctions;
		await checkSameForAllItems(context, 'hospitalityBookingApi', {
			...BOOKING,
			system: String(systems[0]),
		});
		return read.mock.calls.length;
	}

	it('is refused where it differs, with its field and the item', async () => {
		await expect(check(['north', 'north', 'south', 'north'])).rejects.toThrow(
			"'System' of the credential differs by item (item 2)",
		);
		// By the number of the item alone: one that does not exist has a value too.
		const byNumber = (item: number) => ['north', 'south'][item % 2];
		await expect(check(['north', 'south'], byNumber)).rejects.toThrow('differs by item (item 1)');
	});

	it('is read for each item where it may differ, else for one that does not exist and the second', async () => {
		expect(await check(['north', 'north', 'north'])).toBe(1 + 2);
		expect(await check(['north', 'north', 'north'], () => 'north')).toBe(2);
		expect(await check(['north'])).toBe(0);
	});
});

it.each([
	'http://other/path',
	'https://service/path',
	'http://service:81/path',
	'http://service@other/path',
	'/../path',
	'',
	'path',
	'http://service/base/../path',
	'http://service/based',
])('puts a token on no request to another address: %s', (url) => {
	const sign = () =>
		authenticate(
			bookingAuth,
			{ ...BOOKING, baseUrl: 'http://service/base' },
			{ url, method: 'GET' },
		);

	expect(sign).toThrow("'URL' does not lead to 'Base URL' of the credential");
});

it('follows redirects of a call that reads, and of no other', async () => {
	const { open, sent } = runWith(BOOKING, {
		statusOf: () => 302,
		headers: { location: '/elsewhere' },
	});
	const send = await open('hospitalityBookingApi');
	await send({ method: 'PUT' });
	expect(sent).toHaveLength(1);
	await send({ method: 'GET' });
	expect(sent).toHaveLength(1 + 1 + 5);
});

it.each<[string | false | undefined, string | undefined]>([
	[undefined, 'first'],
	['-', '-'],
	['second', 'second'],
	[false, undefined],
])('sends, for a system of %p, the header %p', async (system, header) => {
	const { send, sent } = runWith(BOOKING);
	await send('hospitalityBookingApi', { system });

	expect(sent.map(({ system: own }) => own)).toEqual([header]);
});

it("takes the credential's extra headers along", async () => {
	const extraHeaders = { entry: [{ name: 'X-Source', value: 'n8n' }] };
	const { send, options } = runWith({ ...BOOKING, extraHeaders });
	await send('hospitalityBookingApi');

	expect(options).toMatchObject([{ headers: { 'X-Source': 'n8n' } }]);
});

it.each(['', 'Mars/Base'])('opens no booking account whose Time Zone is %p', async (timeZone) => {
	const { run } = runWith({ ...BOOKING, timeZone });

	await expect(openAccount(run, 'hospitalityBookingApi')).rejects.toThrow("'Time Zone' is");
});

it.each([
	['English unless it says so', undefined, 'en-GB'],
	['as chosen', 'sv', 'sv'],
	['as entered by an expression', ' de-AT ', 'de-AT'],
])('has a language: %s', async (_, language, tag) => {
	const { run } = runWith({ ...BOOKING, language: language as string });

	expect(await openAccount(run, 'hospitalityBookingApi')).toMatchObject({ language: tag });
});

it.each(['Swedish', 'xx', 7])('opens no booking account whose Language is %p', async (language) => {
	const { run } = runWith({ ...BOOKING, language });

	await expect(openAccount(run, 'hospitalityBookingApi')).rejects.toThrow(
		`'Language' is '${language}', which is not a known language`,
	);
});

it.each([
	[
		'in a header of another name, renewed after a 401',
		{ carriedAs: 'header' },
		['token 1', 'token 2'],
	],
	['nowhere where the credential says so', { carriedAs: 'none' }, [undefined]],
])('carries the session %s', async (_, carried, sessions) => {
	const stored = { ...PAYMENT, headerName: 'X-Session', ...carried };
	const { send, sent } = runWith(stored, {
		statusOf: (headers) => (headers['X-Session'] === 'token 1' ? 401 : 200),
	});

	expect(await send('hospitalityPaymentApi')).toBe(200);
	expect(sent.map((headers) => headers['X-Session'])).toEqual(sessions);
	expect(sent.flatMap(Object.keys).filter((name) => /auth/i.test(name))).toEqual([]);
});

it("refuses the credential's System where it would arrive as another one", () => {
	expect(() => systemOf({ ...BOOKING, system: 'Łódź' })).toThrow(
		"'System' contains a character that a header cannot carry (U+0141)",
	);
});

it('asks for a session with the password as it stands, outer spaces included', async () => {
	const { send, tokenRequests } = runWith(PAYMENT);
	await send('hospitalityPaymentApi');

	const body = JSON.stringify({ CustomerId: '4711', Password: ' the-password ' });
	expect(tokenRequests).toMatchObject([{ body }]);
});

it('sends nothing with a Header Name that is none', async () => {
	const { send, sent } = runWith({ ...PAYMENT, carriedAs: 'header', headerName: 'X Session' });
	await send('hospitalityPaymentApi');

	expect(sent).toEqual([]);
});

it.each(['hospitalityBookingApi', 'hospitalityPaymentApi'] as const)(
	'says of a %s that is gone what to do, and nothing of a report',
	async (credential) => {
		const { run } = runWith(BOOKING);
		const gone = Object.assign(run, {
			getCredentials: async () =>
				await Promise.reject(new Error('Credential with ID "7" does not exist')),
		});

		await expect(openAccount(gone, credential)).rejects.toMatchObject({
			message: 'The credential could not be read: Credential with ID "7" does not exist',
			description: expect.stringContaining("'Credential to connect with'") as string,
		});
	},
);
