import type { NodeApiError } from 'n8n-workflow';

import { failureOfConnection, failureOfStatus } from './failure';
import { type ErrorContext, apiError, declare } from './nodeErrors';
import { readServiceMessage } from './serviceMessage';
import { connectionWords, redirectWords, statusWords } from './words';

/**
 * A response outside 2xx, as the error a person reads: what happened, with status, operation and item; then the
 * service's own words, the fields it names, and how to fix it.
 *
 * @param retryAfterMs what the service asked for in `Retry-After`; n8n's scheduler keeps to it
 */
export function statusError(
	place: ErrorContext,
	status: number,
	body: unknown,
	retryAfterMs?: number,
): NodeApiError {
	const [happened, hint] = statusWords(status, place.statusWords);
	const { text, fields } = readServiceMessage(body);
	const named = fields.map(({ field, message }) => (field ? `'${field}': ${message}` : message));
	const said =
		text || named.length > 0
			? `The service says: ${[text, named.join('; ')].filter(Boolean).join('. ')}`
			: '';
	const description = [said, hint].filter(Boolean).join('. ');
	const error = apiError(place, `${happened} (${status})`, description, { status, fields, text });
	return declare(error, failureOfStatus(status, retryAfterMs));
}

/** A call without a response. `code` is Node's, e.g. `ECONNREFUSED`. */
export function connectionError(place: ErrorContext, code: string): NodeApiError {
	const [happened, hint] = connectionWords(code, place.addressField ?? 'Base URL');
	const error = apiError(place, happened, hint, { status: 0, fields: [], text: code });
	return declare(error, failureOfConnection(code));
}

/** A redirect that is not followed: of a call that changes something, or to another host. */
export function redirectError(place: ErrorContext, status: number, address: string): NodeApiError {
	const [happened, hint] = redirectWords(status, address, place.addressField ?? 'Base URL');
	const description = `The call was not sent on, so nothing was changed there. ${hint}`;
	return apiError(place, happened, description, { status, fields: [], text: address });
}

/**
 * A success that is read no further.
 *
 * @param complaint completes a sentence, e.g. `is larger than 32 MB`
 * @param isChange whether the call has changed something by now
 */
export function unusableBodyError(place: ErrorContext, complaint: string, isChange: boolean): NodeApiError {
	const hint = isChange
		? 'The service reported success, so check the record before you repeat the call'
		: 'Ask for less at once, e.g. a shorter period or more filters. If a small request gives the same, ask whoever runs the service';
	return apiError(place, `The response ${complaint}`, hint, { status: 0, fields: [], text: complaint });
}

/** A call that had no response when the time for it was over. */
export function deadlineError(place: ErrorContext): NodeApiError {
	const [happened] = connectionWords('ETIMEDOUT', place.addressField ?? 'Base URL');
	const details = { status: 0, fields: [], text: 'ETIMEDOUT' };
	const error = apiError(place, happened, 'Try again later, or ask for less at once', details);
	return declare(error, failureOfConnection('ETIMEDOUT'));
}

/** A response of a kind the operation cannot use, such as HTML with status 200. */
export function unreadableResponseError(place: ErrorContext, status: number, body: unknown): NodeApiError {
	const { text } = readServiceMessage(body);
	const hint = `Check '${place.addressField ?? 'Base URL'}' in the credential: it may lead to a sign-in page or a proxy`;
	return apiError(
		place,
		`The service answered with something other than data (${status})`,
		`${text ? `It sent ${text}. ` : ''}${hint}`,
		{
			status,
			fields: [],
			text,
		},
	);
}
