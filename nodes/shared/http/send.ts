import type { CallingContext } from '../auth/authorizedCall';
import { CallError } from '../errors/callFault';
import { callError } from '../errors/callErrors';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { byDeadline } from '../transport/deadline';
import type { ServiceResponse } from '../transport/response';
import { attemptUntilDone } from './attempts';
import { queueFor } from './concurrency/accounts';
import { type Outcome, exchange } from './exchange';
import type { ServiceRequest } from './serviceRequest';

export type { ServiceRequest, ServiceResponse };

const RUN_GIVES_UP_AFTER_MS = 600_000;
const EDITOR_GIVES_UP_AFTER_MS = 30_000;

/**
 * The one way out for every call of every node: token, retries, cancellation and readable errors.
 *
 * @param context the n8n context that the call runs in
 * @param errorContext names the operation and item in errors
 * @returns the response, always 2xx, with a body that is data (never HTML)
 * @throws NodeApiError (a response outside 2xx after the retries, or none at all); NodeOperationError (credential values)
 */
export async function send(
	context: CallingContext,
	request: ServiceRequest,
	errorContext: ErrorContext,
): Promise<ServiceResponse> {
	const outcome = await attempts(context, request);
	if (outcome.kind === 'error') throw toNodeError(errorContext, outcome.error);
	if (outcome.kind === 'response') return outcome.response;
	throw callError(errorContext, outcome, { isChange: isChange(request), record: request.record });
}

async function attempts(context: CallingContext, request: ServiceRequest): Promise<Outcome> {
	const { credential, method, deadline } = request;
	const signal = 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const giveUpAfterMs = signal ? RUN_GIVES_UP_AFTER_MS : EDITOR_GIVES_UP_AFTER_MS;
	const giveUpAt = request.giveUpAt ?? deadline ?? Date.now() + giveUpAfterMs;
	try {
		const queue = await queueFor(context, credential);
		const limits = { method, giveUpAt, deadline, signal };
		const attempt = async () => await byDeadline(exchange(context, request), deadline);
		return await attemptUntilDone(queue, limits, attempt);
	} catch (error) {
		return error instanceof CallError ? error.fault : { kind: 'error', error };
	}
}

/** A request for a token changes nothing that a person would look at. */
function isChange({ method, takesToken }: ServiceRequest): boolean {
	return method !== 'GET' && takesToken !== false;
}
