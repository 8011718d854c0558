import type { CallingContext } from '../auth/authorizedCall';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { deadlineError, statusError, unreadableResponseError } from '../errors/callErrors';
import { looksLikeHtml } from '../errors/serviceMessage';
import { DeadlineError, byDeadline } from '../transport/deadline';
import { type ServiceResponse, isSuccess } from '../transport/response';
import { parseRetryAfter } from '../values/retryAfter';
import { attemptUntilDone } from './attempts';
import { queueFor } from './concurrency/accounts';
import { PauseError } from './concurrency/pauseError';
import { type Outcome, exchange } from './exchange';
import type { ServiceRequest } from './serviceRequest';

export type { ServiceRequest, ServiceResponse };

const PATIENCE_OF_RUN_MS = 600_000;
const PATIENCE_OF_EDITOR_MS = 30_000;

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
	const { response, error } = await attempts(context, request, place, signal);
	if (response && isSuccess(response.status)) return readable(request, place, response);
	if (error) throw error;
	const retryAfterMs = parseRetryAfter(response?.headers['retry-after'], new Date());
	throw statusError(place, response?.status ?? 0, response?.body, retryAfterMs);
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
		const queue = await queueFor(context, credential);
		const limits = { method, giveUpAt, deadline, signal };
		const attempt = async () => await byDeadline(exchange(context, request, place), deadline);
		return await attemptUntilDone(queue, limits, attempt);
	} catch (reason) {
		return { error: waitingError(place, reason) };
	}
}

/** What ended the waiting for the service. */
function waitingError(place: ErrorContext, reason: unknown): Error {
	if (reason instanceof DeadlineError) return deadlineError(place);
	if (reason instanceof PauseError) return statusError(place, reason.status, undefined, reason.pauseMs);
	return toNodeError(place, reason);
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
