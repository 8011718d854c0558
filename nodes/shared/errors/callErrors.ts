import type { Failure, NodeApiError } from 'n8n-workflow';

import { type CallFault, certificateComplaint, mayHaveActed } from './callFault';
import { type ErrorContext, apiError, declare } from './nodeErrors';
import { looksLikeHtml, readServiceMessage } from './serviceMessage';
import { faultWords } from './words';

/** What a person has to know of a call that failed. */
export interface FailedCall {
	/** Whether it was to change something. */
	isChange?: boolean;
	/** What it was to change, in the words of the form: `'Web Booking' 3f25…`. */
	record?: string;
}

/**
 * What went wrong with a call, as the error a person reads: what happened, with operation and item; then the service's own
 * words, the fields it names, and how to fix it. Where a change may have been made, it says so and what to look at.
 */
export function callError(
	context: ErrorContext,
	fault: CallFault,
	{ isChange, record }: FailedCall = {},
): NodeApiError {
	const { text, fields } = readServiceMessage('body' in fault ? fault.body : undefined);
	const named = fields.map(({ field, message }) => (field ? `'${field}': ${message}` : message));
	const said = [text, named.join('; ')].filter(Boolean).join('. ');
	const [happened, hint] = faultWords(fault, context);
	const isLost = isChange === true && mayHaveActed(fault);
	const look = `Look ${record ? `at ${record} ` : ''}in the service before you repeat the call`;
	const error = apiError(
		context,
		isLost ? `${happened}. The change may have been made` : happened,
		[said && `The service says: ${said}`, isLost ? look : hint].filter(Boolean).join('. '),
		{ status: 'status' in fault ? fault.status : 0, fields, text: text || detailOf(fault) },
	);
	return declare(error, failureOf(fault));
}

function detailOf(fault: CallFault): string {
	if (fault.kind === 'connection') return fault.code;
	if (fault.kind === 'redirect') return fault.address;
	return fault.kind === 'body' ? fault.complaint : '';
}

/** A success that holds no data, or none that the operation can use. */
export function noDataFault(status: number, body: unknown): CallFault {
	if (body === undefined) return { kind: 'body', reason: 'format', status, complaint: 'is empty' };
	return typeof body === 'string' && /^\s*[[{"]/.test(body) && !looksLikeHtml(body)
		? { kind: 'body', reason: 'format', status, complaint: 'breaks off or is not valid JSON' }
		: { kind: 'body', reason: 'noData', status, complaint: 'is something other than data', body };
}

/** @returns why n8n's scheduler should wait before the next poll; undefined where the fault does not tell */
export function failureOf(fault: CallFault): Failure | undefined {
	switch (fault.kind) {
		case 'status':
			return failureOfStatus(fault.status, fault.retryAfterMs);
		case 'pause':
			return failureOfStatus(fault.status, fault.pauseMs);
		case 'connection':
			return {
				cause: certificateComplaint(fault.code) ? 'configuration-invalid' : 'temporarily-unavailable',
			};
		case 'redirect':
			return { cause: 'configuration-invalid' };
		case 'body':
			return undefined;
	}
}

function failureOfStatus(status: number, retryAfterMs?: number): Failure | undefined {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (status === 408 || status === 425 || status >= 500) return { cause: 'temporarily-unavailable', ...wait };
	if (status === 401) return { cause: 'credential-invalid' };
	return status === 403 || status === 407 ? { cause: 'configuration-invalid' } : undefined;
}
