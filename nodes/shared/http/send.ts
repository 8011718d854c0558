import {
	type IDataObject,
	type IHttpRequestMethods,
	type IHttpRequestOptions,
	NodeApiError,
} from 'n8n-workflow';

import { sendGetWithBody } from './getWithBody';
import {
	type ErrorContext,
	connectionError,
	deadlineError,
	statusError,
	toNodeError,
	unreadableResponseError,
} from '../errors/nodeErrors';
import { parseRetryAfter } from '../values/retryAfter';
import { InvalidValueError } from '../values/invalidValue';
import { DeadlineError, byDeadline } from './deadline';
import { attemptUntilDone } from './attempts';
import { LongPauseError } from './concurrency/gate';
import { gateFor } from './concurrency/gates';
import type { Attempt } from './retry';
import { type CallingContext, type CredentialName, sendWithRunCredentials } from '../auth/runCredentials';
import { TokenError } from '../errors/tokenError';

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
	/** n8n's own request options: time-out, proxy, certificates. */
	network?: Pick<IHttpRequestOptions, 'timeout' | 'proxy' | 'skipSslCertificateValidation'>;
	/** Milliseconds since 1970 by which the call has to end, repeats included; undefined: no limit. */
	deadline?: number;
	/**
	 * Milliseconds since 1970 until which the call is repeated while the service refuses it for now, by 429 or 503 with
	 * `Retry-After`; undefined: the deadline, else 10 minutes in a run and 30 seconds in the editor.
	 */
	giveUpAt?: number;
}

export interface ServiceResponse {
	status: number;
	headers: IDataObject;
	/** Parsed JSON, a text, or undefined for an empty body. */
	body: unknown;
}

/** As n8n's own nodes wait. */
const DEFAULT_TIMEOUT_MS = 300_000;
const PATIENCE_OF_RUN_MS = 600_000;
const PATIENCE_OF_EDITOR_MS = 30_000;

/**
 * The one way out for every call of every node: token, retries, cancellation and readable errors.
 *
 * @param context the n8n context that the call runs in
 * @param place names the operation and item in errors
 * @returns the answer, always 2xx, with a body that is data (never HTML)
 * @throws NodeApiError (an answer outside 2xx after the retries, or none at all); NodeOperationError (credential values)
 */
export async function send(
	context: CallingContext,
	request: ServiceRequest,
	place: ErrorContext,
): Promise<ServiceResponse> {
	const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const { answer, error } = await attempts(context, request, place, signal);
	if (answer && isSuccess(answer.status)) return readable(place, answer);
	throw (
		error ??
		statusError(
			place,
			answer?.status ?? 0,
			answer?.body,
			parseRetryAfter(answer?.headers['retry-after'], new Date()),
		)
	);
}

async function attempts(
	context: CallingContext,
	request: ServiceRequest,
	place: ErrorContext,
	signal: AbortSignal | undefined,
): Promise<Outcome> {
	const { credential, method, deadline } = request;
	const patienceMs = signal ? PATIENCE_OF_RUN_MS : PATIENCE_OF_EDITOR_MS;
	const giveUpAt = request.giveUpAt ?? deadline ?? Date.now() + patienceMs;
	try {
		const gate = await gateFor(context, credential);
		const limits = { method, giveUpAt, deadline, signal };
		return await attemptUntilDone(
			gate,
			limits,
			async () => await byDeadline(sendOnce(context, request, place), deadline),
		);
	} catch (reason) {
		return { error: waitingError(place, reason) };
	}
}

/** What ended the waiting for the service. */
function waitingError(place: ErrorContext, reason: unknown): Error {
	if (reason instanceof DeadlineError) return deadlineError(place);
	if (reason instanceof LongPauseError) return statusError(place, 429, undefined, reason.pauseMs);
	return toNodeError(place, reason);
}

interface Outcome {
	attempt?: Attempt;
	answer?: ServiceResponse;
	error?: Error;
}

async function sendOnce(
	context: CallingContext,
	request: ServiceRequest,
	place: ErrorContext,
): Promise<Outcome> {
	const hasBody = request.body !== undefined;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: request.path,
		qs: request.query ?? {},
		arrayFormat: 'repeat',
		headers: {
			Accept: 'application/json',
			...(hasBody ? { 'Content-Type': 'application/json' } : {}),
			...request.headers,
		},
		...request.network,
		timeout: timeoutOf(request),
		...(hasBody ? { body: JSON.stringify(request.body) } : {}),
		returnFullResponse: true,
		ignoreHttpStatusErrors: { ignore: true, except: [401] },
		sendCredentialsOnCrossOriginRedirect: false,
	};
	try {
		const full = (await (request.method === 'GET' && hasBody
			? sendGetWithBody(context, request.credential, options)
			: sendWithRunCredentials(context, request.credential, options))) as {
			body: unknown;
			headers: IDataObject;
			statusCode: number;
		};
		const answer = { status: full.statusCode, headers: full.headers, body: emptyToUndefined(full.body) };
		const retryAfter = full.headers['retry-after'];
		return {
			answer,
			attempt: {
				kind: 'status',
				status: answer.status,
				retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
			},
		};
	} catch (thrown) {
		return readThrown(place, thrown);
	}
}

/** n8n wraps what went wrong, once or twice; the reason is found by its kind. */
function readThrown(place: ErrorContext, thrown: unknown): Outcome {
	for (let reason = thrown; reason instanceof Error; reason = reason.cause) {
		if (reason instanceof TokenError || reason instanceof InvalidValueError) {
			return { error: toNodeError(place, reason) };
		}
		const { response, code } = reason as { response?: { status?: number; data?: unknown }; code?: unknown };
		if (response?.status !== undefined && !isSuccess(response.status))
			return { error: statusError(place, response.status, response.data) };
		if (typeof code === 'string') {
			return {
				attempt: { kind: 'connection', reached: code === 'ECONNREFUSED' ? 'refused' : 'broken' },
				error: connectionError(place, code),
			};
		}
	}
	if (thrown instanceof NodeApiError && thrown.httpCode !== null) {
		return { error: statusError(place, Number(thrown.httpCode), thrown.context.data) };
	}
	return {
		error: thrown instanceof Error ? toNodeError(place, thrown) : connectionError(place, ''),
	};
}

function readable(place: ErrorContext, answer: ServiceResponse): ServiceResponse {
	if (typeof answer.body === 'string') throw unreadableResponseError(place, answer.status, answer.body);
	return answer;
}

/** n8n's time-out, cut to what is left until the deadline. */
function timeoutOf({ network, deadline = Infinity }: ServiceRequest): number {
	return Math.max(1, Math.min(network?.timeout ?? DEFAULT_TIMEOUT_MS, deadline - Date.now()));
}

function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

function emptyToUndefined(body: unknown): unknown {
	return body === '' || body === undefined || body === null ? undefined : body;
}
