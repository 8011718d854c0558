import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { bookingToken, authenticateBookingRequest } from './bookingAuth';
import { connectionWords, statusWords } from '../errors/nodeErrors';
import { paymentToken } from './paymentAuth';
import type { TokenResponse } from './tokenRequest';
import { parseText, readServiceMessage } from '../errors/serviceMessage';

/** A list that is empty by its date, so that it costs the service next to nothing. */
const CHEAP_CALL = {
	method: 'GET',
	url: '/api/booking/v1/booking/customers',
	qs: { changedFromUtc: '2999-01-01T00:00:00Z' },
} as const;

/**
 * Tests a `hospitalityBookingApi` credential as it stands in the editor: a token, then an authorised call. n8n's own
 * test by request would show a bare `ECONNREFUSED` where nothing answers.
 */
export async function testBookingAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await verdictOn(async () => {
		const http = httpOf(this);
		const call = async (credentials: ICredentialDataDecryptedObject) => {
			const { token: accessToken } = await bookingToken(http, credentials);
			const request = authenticateBookingRequest({ ...credentials, accessToken }, { ...CHEAP_CALL });
			return { accessToken, answer: (await http.helpers.httpRequest(request)) as TokenResponse };
		};
		const first = await call(data);
		const { answer } =
			first.answer.statusCode === 401 ? await call({ ...data, accessToken: first.accessToken }) : first;
		return postReceive(answer);
	});
}

/** Tests a `hospitalityPaymentApi` credential: the service documents no further call that needs no subscription. */
export async function testPaymentAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await verdictOn(async () => {
		await paymentToken(httpOf(this), data);
		return undefined;
	});
}

/** @returns what is wrong with the answer to the cheap call; undefined when it is a list */
function postReceive({ statusCode, body }: TokenResponse): string | undefined {
	if (Array.isArray(body)) return undefined;
	if (statusCode < 300 || statusCode === 404) {
		return `Something answers at 'Base URL' (${statusCode}), but not the booking service. Check the address`;
	}
	const { text } = readServiceMessage(body);
	const [happened, hint] = statusWords(statusCode);
	return `${happened} (${statusCode})${text ? `: ${text}` : ''}. ${hint}`;
}

/** @param work what is wrong, undefined for nothing; may throw errors that carry a description or Node's code */
async function verdictOn(work: () => Promise<string | undefined>): Promise<INodeCredentialTestResult> {
	const message = await work().catch((reason: Error & { description?: string; code?: string }) => {
		const words = reason.code
			? connectionWords(reason.code, 'Base URL')
			: [reason.message, reason.description];
		return words.filter(Boolean).join('. ');
	});
	return message === undefined
		? { status: 'OK', message: 'Connection successful' }
		: { status: 'Error', message };
}

/** Credential tests have only n8n's older request helper. */
function httpOf({ helpers }: ICredentialTestFunctions): IHttpRequestHelper {
	const { request } = helpers;
	return {
		helpers: {
			httpRequest: async ({ url, method, headers, qs, body, timeout }: IHttpRequestOptions) => {
				const answer = (await request({
					uri: url,
					method,
					headers,
					qs,
					timeout,
					body: body instanceof URLSearchParams ? body.toString() : body,
					json: typeof body !== 'string' && !(body instanceof URLSearchParams),
					resolveWithFullResponse: true,
					simple: false,
				})) as TokenResponse;
				return { ...answer, body: parseText(answer.body) };
			},
		},
	} as IHttpRequestHelper;
}
