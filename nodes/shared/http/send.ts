import { sleep } from 'n8n-workflow';

import type { CallingContext } from '../auth/runCredentials';
import {
	type ErrorContext,
	deadlineError,
	statusError,
	toNodeError,
	unreadableResponseError,
} from '../errors/nodeErrors';
import { looksLikeHtml } from '../errors/serviceMessage';
import { DeadlineError, byDeadline } from '../transport/deadline';
import { type ServiceResponse, isSuccess } from '../transport/response';
import { parseRetryAfter } from '../values/retryAfter';
import { type Outcome, type ServiceRequest, exchange } from './exchange';
import { waitBeforeRetry } from './retry';

export type { ServiceRequest, ServiceResponse };

/**
 * The one way out for every call of every node: token, retries, cancellation and readable errors.
 *
 * @param context the n8n context that the call runs in
 * @param place names the operation and item in errors
 * @returns the response, always 2xx, with a body that is data (never HTML)
 * @throws NodeApiError (a response outside 2xx after the retries, or none at all); NodeOperationError (credential values)
 */
export async function send(
	context: CallingContext,
	request: ServiceRequest,
	place: ErrorContext,
): Promise<ServiceResponse> {
	const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	for (let retries = 0; ; retries++) {
		const { attempt, response, error } = await exchangeByDeadline(context, request, place);
		if (response && isSuccess(response.status)) return readable(request, place, response);
		const wait = attempt && waitBeforeRetry(request.method, attempt, retries, Math.random(), new Date());
		const ends = wait !== undefined && Date.now() + wait >= (request.deadline ?? Infinity);
		if (wait === undefined || ends || signal?.aborted) throw error ?? refusalOf(place, response);
		await sleep(wait, signal);
	}
}

async function exchangeByDeadline(
	context: CallingContext,
	request: ServiceRequest,
	place: ErrorContext,
): Promise<Outcome> {
	try {
		return await byDeadline(exchange(context, request, place), request.deadline);
	} catch (reason) {
		return { error: reason instanceof DeadlineError ? deadlineError(place) : toNodeError(place, reason) };
	}
}

function refusalOf(place: ErrorContext, response?: ServiceResponse): Error {
	const retryAfterMs = parseRetryAfter(response?.headers['retry-after'], new Date());
	return statusError(place, response?.status ?? 0, response?.body, retryAfterMs);
}

function readable(
	{ acceptsText }: ServiceRequest,
	place: ErrorContext,
	response: ServiceResponse,
): ServiceResponse {
	const { status, headers, body } = response;
	if (typeof body !== 'string') return response;
	const isWebPage = looksLikeHtml(body) || String(headers['content-type']).includes('html');
	if (acceptsText && !isWebPage) return response;
	throw unreadableResponseError(place, status, body);
}
