import { NodeOperationError } from 'n8n-workflow';

import type { CallingContext } from '../auth/authorizedCall';
import { type ErrorContext, toNodeError } from '../errors/nodeErrors';
import { connectionError, redirectError, unusableBodyError } from '../errors/callErrors';
import { createResponseMasks } from '../errors/secrets';
import { TokenError } from '../errors/tokenError';
import { RedirectError } from '../transport/redirect';
import { type ServiceResponse, UnusableBodyError, readResponse } from '../transport/response';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { follow } from './follow';
import type { Attempt } from './retry';
import { type ServiceRequest, timeoutOf } from './serviceRequest';

/** How one attempt at a call ended. */
export interface Outcome {
	/** For the retry rule; undefined where another attempt cannot help. */
	attempt?: Attempt;
	response?: ServiceResponse;
	error?: Error;
}

/** Makes a call once, from the token to the last byte of the response; does not throw what the service causes. */
export async function exchange(
	context: CallingContext,
	request: ServiceRequest,
	place: ErrorContext,
): Promise<Outcome> {
	const endsAt = Date.now() + timeoutOf(request);
	try {
		const authorized = await follow(context, request);
		const { secrets, token } = authorized;
		const all = [...secrets, ...(request.secrets ?? [])];
		const masks = createResponseMasks(all, token, request.documented);
		const read = await readResponse(authorized.response, endsAt, masks.maskFor);
		const response = { ...read, body: masks.maskData(read.body) };
		const { status, headers } = response;
		const retryAfter = headers['retry-after'];
		const asked = typeof retryAfter === 'string' ? { retryAfter } : {};
		return { response, attempt: { kind: 'status', status, ...asked } };
	} catch (thrown) {
		return outcomeOf(place, request, thrown);
	}
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
