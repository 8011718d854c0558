import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { faultWords } from '../errors/words';
import { type Mask, createMask } from '../errors/secrets';
import { readServiceMessage } from '../errors/serviceMessage';
import { faultOf } from '../transport/faults';
import { isRedirect, redirectTarget, redirectedTo } from '../transport/redirect';
import { type RawResponse, type ServiceResponse, isSuccess, readResponse } from '../transport/response';
import { checkTimeZone } from '../values/dateTime';
import { authenticateBookingRequest, bookingAccount, systemOf } from './bookingAuth';
import { checkTokenHeader, paymentAccount } from './paymentAuth';
import { holding } from './session';

const TIMEOUT_MS = 30_000;

/** A list that is empty by its date, so that it costs the service next to nothing. */
const CHEAP_CALL = {
	method: 'GET',
	url: '/api/booking/v1/booking/customers',
	qs: { changedFromUtc: '2999-01-01T00:00:00Z' },
	headers: { Accept: 'application/json' },
	timeout: TIMEOUT_MS,
} as const;

/**
 * Tests a `hospitalityBookingApi` credential as it stands in the editor: a token, then an authorised call. n8n's own
 * test by request would show a bare `ECONNREFUSED` where nothing answers.
 *
 * It knows the credential alone: a proxy or certificate set in a node's Request Options does not reach it, a proxy set
 * for the whole n8n does.
 */
export async function testBookingAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(data, async () => {
		const http = httpOf(this);
		const account = bookingAccount(data);
		systemOf(data);
		checkTimeZone(data.timeZone, 'UTC');
		const issued = await account.requestToken(http);
		const request = authenticateBookingRequest(holding(data, account, issued), { ...CHEAP_CALL });
		const mask = createMask([...account.secrets, issued.token]);
		const raw = (await http.helpers.httpRequest(request)) as RawResponse;
		const reading = { url: request.url, endsAt: Date.now() + TIMEOUT_MS, maskFor: () => mask };
		const response = await readResponse(raw, reading);
		return findProblem(response, account.address, request.url, mask);
	});
}

/** Tests a `hospitalityPaymentApi` credential: the service documents no further call that needs no subscription. */
export async function testPaymentAccess(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	return await toTestResult(data, async () => {
		checkTokenHeader(data);
		await paymentAccount(data).requestToken(httpOf(this));
		return undefined;
	});
}

/** @returns what is wrong with the response to the cheap call; undefined when it is a list */
function findProblem(
	{ status, headers, body }: ServiceResponse,
	address: string,
	url: string,
	mask: Mask,
): string | undefined {
	if (isRedirect(status)) {
		const to = redirectedTo(redirectTarget(headers.location, url), address, url, mask);
		return faultWords({ kind: 'redirect', status, ...to }, {}).join('. ');
	}
	if (Array.isArray(body)) return undefined;
	if (isSuccess(status) || status === 404) {
		return `Something responds at 'Base URL' (${status}), but not the booking service. Check the address`;
	}
	const { text } = readServiceMessage(body, mask);
	const [happened, hint] = faultWords({ kind: 'status', status }, {});
	return `${happened}${text ? `: ${text}` : ''}. ${hint}`;
}

/** @param work what is wrong, undefined for nothing; may throw errors that carry a description or Node's code */
async function toTestResult(
	data: ICredentialDataDecryptedObject,
	work: () => Promise<string | undefined>,
): Promise<INodeCredentialTestResult> {
	const message = await work().catch((reason: Error & { description?: string }) => {
		const fault = faultOf(reason, { url: String(data.baseUrl) });
		const words = fault ? faultWords(fault, {}) : [reason.message, reason.description];
		return words.filter(Boolean).join('. ');
	});
	return message === undefined
		? { status: 'OK', message: 'Connection successful' }
		: { status: 'Error', message };
}

/** Credential tests have only n8n's older request helper. */
function httpOf({ helpers }: ICredentialTestFunctions): IHttpRequestHelper {
	const { request } = helpers;
	const httpRequest = async ({ url, method, headers, qs, body, timeout }: IHttpRequestOptions) =>
		(await request({
			uri: url,
			method,
			headers,
			qs,
			timeout,
			body,
			useStream: true,
			followRedirect: false,
			resolveWithFullResponse: true,
			simple: false,
		})) as RawResponse;
	return { helpers: { httpRequest } } as unknown as IHttpRequestHelper;
}
