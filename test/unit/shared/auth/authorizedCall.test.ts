import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IPollFunctions,
} from 'n8n-workflow';

import {
	type Authorization,
	type CallingContext,
	beginPoll,
	callAuthorized,
} from '../../../../nodes/shared/auth/authorizedCall';
import { authenticateBookingRequest, bookingAccount } from '../../../../nodes/shared/auth/bookingAuth';
import { authenticatePaymentRequest } from '../../../../nodes/shared/auth/paymentAuth';
import { renewSession } from '../../../../nodes/shared/auth/session';
import { forgetTokens } from '../../../../nodes/shared/auth/tokens';

const BOOKING = {
	baseUrl: 'http://service',
	authUrl: 'http://identity',
	clientId: 'client',
	clientSecret: 'the-secret',
	system: 'first',
};
const PAYMENT = { payUrl: 'http://pay', customerId: '4711', password: 'the-password' };
const CREDENTIALS = [
	['hospitalityBookingApi', BOOKING, authenticateBookingRequest],
	['hospitalityPaymentApi', PAYMENT, authenticatePaymentRequest],
] as const;

beforeEach(() => forgetTokens());

/** A run whose services issue `token 1`, `token 2` …, and whose calls `respond` stands in for, with a status. */
function runWith(stored: ICredentialDataDecryptedObject, respond: (headers: IDataObject) => number) {
	const tokenRequests: IHttpRequestOptions[] = [];
	const getCredentials = jest.fn(async () => stored);
	const httpRequest = async (options: IHttpRequestOptions) => {
		const token = `token ${tokenRequests.push(options)}`;
		return { statusCode: 200, headers: {}, body: { access_token: token, AuthenticationToken: token } };
	};
	const helpers = { httpRequest };
	const run = {
		getCredentials,
		helpers,
		getExecutionCancelSignal: () => undefined,
	} as unknown as IExecuteFunctions;
	const poll = { getCredentials, helpers } as unknown as IPollFunctions;
	const sent: IDataObject[] = [];
	const send = async (context: CallingContext, authorization: Authorization) => {
		const { response } = await callAuthorized(context, authorization, async ({ credentialsDecrypted }) => {
			const authenticate =
				authorization.credential === 'hospitalityBookingApi'
					? authenticateBookingRequest
					: authenticatePaymentRequest;
			const data = credentialsDecrypted?.data ?? {};
			const { headers = {} } = authenticate(data, { url: '/path' });
			sent.push(headers);
			return { statusCode: respond(headers), headers: {}, body: undefined };
		});
		return response.statusCode;
	};
	const tokens = () => sent.map(({ Authorization }) => Authorization);
	return { getCredentials, run, poll, send, sent, tokens, tokenRequests };
}

const BOOKING_CALL = { credential: 'hospitalityBookingApi' } as const;
const isNot = (token: string) => (headers: IDataObject) =>
	headers.Authorization === `Bearer ${token}` ? 401 : 200;

it('reads the credential once for all calls of a run, those under way together included', async () => {
	const { getCredentials, run, send } = runWith(BOOKING, () => 200);

	expect(await Promise.all([send(run, BOOKING_CALL), send(run, BOOKING_CALL)])).toEqual([200, 200]);
	expect(await send(run, BOOKING_CALL)).toBe(200);
	expect(getCredentials).toHaveBeenCalledTimes(1);
});

it('reads the credential once for all calls of a poll, and anew for the next poll, though n8n keeps the context', async () => {
	const { getCredentials, poll, send } = runWith(BOOKING, () => 200);

	beginPoll(poll);
	await send(poll, BOOKING_CALL);
	await send(poll, BOOKING_CALL);
	expect(getCredentials).toHaveBeenCalledTimes(1);
	beginPoll(poll);
	await send(poll, BOOKING_CALL);
	expect(getCredentials).toHaveBeenCalledTimes(2);
});

describe.each(CREDENTIALS)('a call with %s', (credential, data) => {
	const stored = { ...data, sessionState: 'valid', accessToken: 'stored', issuedFor: 'whoever' };

	it('takes a token of this process, whatever is stored', async () => {
		const { run, send, tokens } = runWith(stored, () => 200);
		await send(run, { credential });
		await send(run, { credential });

		expect(tokens()).toEqual(['Bearer token 1', 'Bearer token 1']);
	});

	it('is repeated once with another token after a 401, which the calls after it take', async () => {
		const { run, send, tokens, tokenRequests } = runWith(stored, isNot('token 1'));

		expect(await Promise.all([send(run, { credential }), send(run, { credential })])).toEqual([200, 200]);
		expect(await send(run, { credential })).toBe(200);
		expect(tokenRequests).toHaveLength(2);
		expect(tokens().at(-1)).toBe('Bearer token 2');
	});

	it('ends with the second 401', async () => {
		const { run, send, sent } = runWith(stored, () => 401);

		expect(await send(run, { credential })).toBe(401);
		expect(sent).toHaveLength(2);
	});

	it('without a token asks for none and repeats nothing', async () => {
		const { run, send, tokens, tokenRequests } = runWith(stored, () => 401);

		expect(await send(run, { credential, takesToken: false })).toBe(401);
		expect(tokens()).toEqual([undefined]);
		expect(tokenRequests).toEqual([]);
	});

	it("asks for its token by the node's Request Options", async () => {
		const { run, send, tokenRequests } = runWith(stored, () => 200);
		await send(run, { credential, network: { timeout: 7, skipSslCertificateValidation: true } });

		expect(tokenRequests).toMatchObject([{ timeout: 7, skipSslCertificateValidation: true }]);
	});

	it('hands n8n a credential that it does not renew', async () => {
		const { run } = runWith(stored, () => 200);
		let held: ICredentialDataDecryptedObject = {};
		await callAuthorized(run, { credential }, async ({ credentialsDecrypted }) => {
			held = credentialsDecrypted?.data ?? {};
			return { statusCode: 200, headers: {}, body: undefined };
		});

		expect(await renewSession(run, held, bookingAccount(BOOKING))).toEqual({});
	});
});

it.each<[string | false | undefined, string | undefined]>([
	[undefined, 'first'],
	['-', '-'],
	['second', 'second'],
	[false, undefined],
])('sends, for a system of %p, the header %p', async (system, header) => {
	const { run, send, sent } = runWith(BOOKING, () => 200);
	await send(run, { ...BOOKING_CALL, system });

	expect(sent.map(({ system: own }) => own)).toEqual([header]);
});
