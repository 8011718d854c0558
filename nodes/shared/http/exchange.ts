import { NodeOperationError } from 'n8n-workflow';

import type { CallingContext } from '../auth/authorizedCall';
import type { CallFault } from '../errors/callFault';
import { noDataFault } from '../errors/callErrors';
import { type Mask, createResponseMasks } from '../errors/secrets';
import { looksLikeHtml } from '../errors/serviceMessage';
import { TokenError } from '../errors/tokenError';
import { causesOf, faultOf } from '../transport/faults';
import { type ServiceResponse, isSuccess, readResponse } from '../transport/response';
import { InvalidValueError } from '../values/invalidValue';
import { parseRetryAfter } from '../values/retryAfter';
import { follow } from './follow';
import { type ServiceRequest, timeoutOf } from './serviceRequest';

/** No content: these responses have no body wherever they come from. */
const WITHOUT_BODY = [204, 205];

/** How one attempt at a call ended. */
export type Outcome =
	{ kind: 'response'; response: ServiceResponse } | CallFault | { kind: 'error'; error: unknown };

/** Makes a call once, from the token to the last byte of the response; does not throw. */
export async function exchange(context: CallingContext, request: ServiceRequest): Promise<Outcome> {
	const { network, largestMb, records } = request;
	const endsAt = Date.now() + timeoutOf(request);
	try {
		const authorized = await follow(context, request);
		const { secrets, token, url } = authorized;
		const all = [...secrets, ...(request.secrets ?? [])];
		const { maskFor, maskData } = createResponseMasks(all, token, request.documented);
		const reading = { url, network, endsAt, maskFor, largestMb, records };
		const read = await readResponse(authorized.response, reading);
		const response = { ...read, body: maskData(read.body) };
		const { status, body, headers } = response;
		if (isSuccess(status))
			return faultIn(request, response, maskFor(false)) ?? { kind: 'response', response };
		const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
		return { kind: 'status', status, body, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
	} catch (thrown) {
		const isOwn = (cause: unknown) => cause instanceof TokenError || cause instanceof InvalidValueError;
		const error = causesOf(thrown).find(isOwn);
		if (error) return { kind: 'error', error };
		return faultOf(thrown) ?? { kind: 'error', error: wordsOf(thrown) };
	}
}

/** @returns what keeps a success from being one; undefined where it has the data that it should */
function faultIn(
	{ acceptsText, method }: ServiceRequest,
	{ status, headers, body }: ServiceResponse,
	mask: Mask,
): CallFault | undefined {
	if (body === undefined) {
		const needsBody = method !== 'GET' && !acceptsText && !WITHOUT_BODY.includes(status);
		return needsBody ? noDataFault(status, body) : undefined;
	}
	if (typeof body !== 'string') return undefined;
	const isWebPage = looksLikeHtml(body) || String(headers['content-type']).includes('html');
	return acceptsText && !isWebPage ? undefined : noDataFault(status, mask(body));
}

/** An error of n8n's helpers holds the request, with its token: only its words are kept. */
function wordsOf(thrown: unknown): unknown {
	if (thrown instanceof NodeOperationError) return thrown;
	const [{ message } = { message: thrown }] = causesOf(thrown);
	return new Error(String(message));
}
