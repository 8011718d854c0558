import {
	type IAdditionalCredentialOptions,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	NodeOperationError,
} from 'n8n-workflow';

import {
	type CallingContext,
	type CredentialName,
	callWithCredentials,
	secretsOf,
} from '../auth/runCredentials';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { connectionError, redirectError, unusableBodyError } from '../errors/callErrors';
import { createDataMask, createMask } from '../errors/secrets';
import { TokenError } from '../errors/tokenError';
import {
	MAX_REDIRECTS,
	RedirectError,
	isRedirect,
	redirectTarget,
	shownAddress,
} from '../transport/redirect';
import {
	type Network,
	type RawResponse,
	type ServiceResponse,
	UnusableBodyError,
	discard,
	readResponse,
} from '../transport/response';
import { normalizeServiceUrl } from '../values/address';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { sendGetWithBody } from './getWithBody';
import type { Attempt } from './retry';

/** One call. The credential supplies the address in front of `path`, the token and the `system` header. */
export interface ServiceRequest {
	credential: CredentialName;
	method: IHttpRequestMethods;
	/** Filled and encoded, e.g. `/api/booking/v1/booking/customers`. */
	path: string;
	/** Lists are repeated: `status=1&status=2`. */
	query?: IDataObject;
	headers?: IDataObject;
	/** Sent as JSON; `undefined` sends no body, `{}` sends `{}`. */
	body?: unknown;
	network?: Network;
	/** Milliseconds since 1970 by which the call has to end, repeats included; undefined: no limit. */
	deadline?: number;
	/**
	 * Milliseconds since 1970 until which the call is repeated while the service refuses it for now, by 429 or 503 with
	 * `Retry-After`; undefined: the deadline, else 10 minutes in a run and 30 seconds in the editor.
	 */
	giveUpAt?: number;
	/** False for a call that makes a token itself. */
	takesToken?: false;
	/** Secrets of the body, which no text may show. */
	secrets?: readonly string[];
	/** Whether a text is a success too, where the documents show no body; a web page never is. */
	acceptsText?: boolean;
}

/** How one attempt at a call ended. */
export interface Outcome {
	/** For the retry rule; undefined where another attempt cannot help. */
	attempt?: Attempt;
	response?: ServiceResponse;
	error?: Error;
}

/** As n8n's own nodes wait. */
const DEFAULT_TIMEOUT_MS = 300_000;

const ADDRESS_FIELDS = { hospitalityBookingApi: 'baseUrl', hospitalityPaymentApi: 'payUrl' } as const;

/** Makes a call once, from the token to the last byte of the response; does not throw what the service causes. */
export async function exchange(
	context: CallingContext,
	request: ServiceRequest,
	place: ErrorContext,
): Promise<Outcome> {
	const endsAt = Date.now() + timeoutOf(request);
	try {
		const { raw, credentials } = await follow(context, request);
		const response = await readResponse(raw, endsAt, maskFor(request, credentials));
		const { status, headers } = response;
		const retryAfter = headers['retry-after'];
		const asked = typeof retryAfter === 'string' ? { retryAfter } : {};
		return { response, attempt: { kind: 'status', status, ...asked } };
	} catch (thrown) {
		return outcomeOf(place, request, thrown);
	}
}

interface Followed {
	raw: RawResponse;
	credentials: ICredentialDataDecryptedObject;
}

/**
 * Follows redirects of a GET within the service's own origin: elsewhere the token and the `system` header have no
 * business, and n8n's helpers would turn a call that changes something into a GET.
 */
async function follow(context: CallingContext, request: ServiceRequest): Promise<Followed> {
	let options = helperOptions(request);
	for (let redirects = 0; ; redirects++) {
		const { response: raw, credentials } = await authorized(context, request, options);
		if (!isRedirect(raw.statusCode)) return { raw, credentials };
		discard(raw);
		const base = normalizeServiceUrl(credentials[ADDRESS_FIELDS[request.credential]], 'Base URL');
		const from = options.url.startsWith('/') ? base + options.url : options.url;
		const target = redirectTarget(raw.headers.location, from);
		const isOwn = target?.origin === new URL(base).origin;
		if (!target || !isOwn || request.method !== 'GET' || redirects === MAX_REDIRECTS) {
			const mask = createMask(secretsOf(credentials));
			throw new RedirectError(raw.statusCode, shownAddress(target, mask));
		}
		options = { ...options, url: target.href, qs: {} };
	}
}

async function authorized(
	context: CallingContext,
	{ credential, network = {}, takesToken }: ServiceRequest,
	options: IHttpRequestOptions,
): Promise<{ response: RawResponse; credentials: ICredentialDataDecryptedObject }> {
	const call = async (using: IAdditionalCredentialOptions) =>
		await callHelper(context, credential, options, using);
	return await callWithCredentials(context, credential, { network, takesToken: takesToken ?? true }, call);
}

async function callHelper(
	context: CallingContext,
	credential: CredentialName,
	options: IHttpRequestOptions,
	using: IAdditionalCredentialOptions,
): Promise<RawResponse> {
	if (options.method === 'GET' && options.body !== undefined)
		return await sendGetWithBody(context, credential, options, using);
	const { httpRequestWithAuthentication } = context.helpers;
	const copy = { ...options, headers: { ...options.headers } };
	return (await httpRequestWithAuthentication.call(context, credential, copy, using)) as RawResponse;
}

function helperOptions(request: ServiceRequest): IHttpRequestOptions {
	const { method, path, query = {}, headers, body, network } = request;
	const hasBody = body !== undefined;
	return {
		...network,
		method,
		url: path,
		qs: query,
		arrayFormat: 'repeat',
		headers: {
			Accept: 'application/json',
			...(hasBody ? { 'Content-Type': 'application/json' } : {}),
			...headers,
		},
		...(hasBody ? { body: JSON.stringify(body) } : {}),
		timeout: timeoutOf(request),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/** n8n's time-out, cut to what is left until the deadline. */
function timeoutOf({ network, deadline = Infinity }: ServiceRequest): number {
	return Math.max(1, Math.min(network?.timeout ?? DEFAULT_TIMEOUT_MS, deadline - Date.now()));
}

/** No text of a refusal shows a secret, and no data shows one that went along with the call. */
function maskFor({ secrets = [], takesToken }: ServiceRequest, credentials: ICredentialDataDecryptedObject) {
	const all = [...secretsOf(credentials), ...secrets];
	return (succeeded: boolean) =>
		succeeded ? createDataMask(takesToken === false ? secrets : all) : createMask(all);
}

/** n8n wraps what went wrong, once or twice; the reason is found by its kind. */
function outcomeOf(place: ErrorContext, { method }: ServiceRequest, thrown: unknown): Outcome {
	for (const reason of causesOf(thrown)) {
		if (reason instanceof TokenError || reason instanceof InvalidValueError)
			return { error: toNodeError(place, reason) };
		if (reason instanceof RedirectError)
			return { error: redirectError(place, reason.status, reason.address) };
		if (reason instanceof UnusableBodyError)
			return { error: unusableBodyError(place, reason.message, method !== 'GET') };
		if (typeof reason.code === 'string') {
			const reached = reason.code === 'ECONNREFUSED' ? 'refused' : 'broken';
			return { attempt: { kind: 'connection', reached }, error: connectionError(place, reason.code) };
		}
	}
	if (thrown instanceof NodeOperationError) return { error: thrown };
	// An error of n8n's helpers holds the request, with its token: only its words are kept.
	const [{ message } = { message: thrown }] = causesOf(thrown);
	return { error: toNodeError(place, new Error(String(message))) };
}

/** A thrown value and what it says caused it; errors of Node itself are no `Error` of this realm everywhere. */
function causesOf(thrown: unknown): Array<Record<string, unknown>> {
	const causes: Array<Record<string, unknown>> = [];
	for (let cause = thrown; isRecord(cause) && !causes.includes(cause); cause = cause.cause)
		causes.push(cause);
	return causes;
}
