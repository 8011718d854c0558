import {
	ExpressionError,
	type Failure,
	type INode,
	type JsonObject,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';
import { failureOfConnection, failureOfStatus, isCertificateCode } from './failure';
import { mask, readServiceMessage } from './serviceMessage';
import { TokenError } from './tokenError';

/** What an error needs to say where it happened. */
export interface ErrorContext {
	node: INode;
	/** The operation's action, e.g. `Cancel web booking`. */
	action: string;
	/** Input item, from 0; undefined for polls and list searches. */
	itemIndex?: number;
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	/** Words of the service's or the operation's own. */
	statusWords?: StatusWords;
}

/** By status: what happened, and how to fix it. */
export type StatusWords = Readonly<Record<number, readonly [happened: string, hint: string]>>;

const STATUS: StatusWords = {
	400: ['The service refused the values it was given', 'Check the values of this item'],
	401: [
		'The service did not accept the access token, not even a new one',
		"Check 'Client ID' and 'Client Secret' in the credential, and that the account may use this 'System'",
	],
	403: [
		'The account is not allowed to do this',
		"Ask whoever runs the service for access, or check 'System'",
	],
	404: [
		'The service did not find what was asked for',
		'Check the ID of this item, and Base URL in the credential',
	],
	405: ['The service does not know this call', 'Check Base URL in the credential'],
	409: [
		'The service refused the change because the record is in another state',
		'Read the record again, then repeat',
	],
	422: ['The service refused the values it was given', 'Check the values of this item'],
	429: [
		'The service is receiving too many requests',
		"Raise 'Give Up After (Minutes)' under Options, or ask whoever runs the service for a higher limit",
	],
	500: [
		'The service could not process the request',
		'Try again later; if it stays so, check the values of this item',
	],
	502: ['A gateway in front of the service got no answer', 'Try again later'],
	503: ['The service is not available', 'Try again later'],
	504: ['The service took too long behind its gateway', 'Try again later, or ask for a shorter period'],
};

const CONNECTION: Record<string, [happened: string, hint: string]> = {
	ECONNREFUSED: ['Nothing answers at {address}', 'Check the address, and that the service is running'],
	ENOTFOUND: ['The host of {address} is not known', 'Check the address for a typing slip'],
	EAI_AGAIN: ['The host of {address} could not be looked up', "Check the address and this machine's network"],
	ECONNABORTED: [
		'{address} did not answer in time',
		"Raise 'Timeout' in Request Options, or ask for less at once",
	],
	ETIMEDOUT: [
		'{address} did not answer in time',
		"Raise 'Timeout' in Request Options, or ask for less at once",
	],
	ECONNRESET: ['The connection to {address} broke', 'Try again later'],
};

/** What is wrong with a certificate; of the others it is enough to say that it is not trusted. */
const CERTIFICATE: Record<string, string> = {
	CERT_HAS_EXPIRED: 'has expired',
	CERT_NOT_YET_VALID: 'is not valid yet',
	CERT_REVOKED: 'has been revoked',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'leads to a self-signed one',
	ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'does not come with the certificates of its issuer',
};

/**
 * @param code Node's, e.g. `ECONNREFUSED`
 * @param field the credential's field that holds the address, e.g. `Base URL`
 * @returns what happened and how to fix it
 */
export function connectionWords(code: string, field: string): [happened: string, hint: string] {
	if (isCertificateCode(code)) {
		return [
			`The certificate of '${field}' ${CERTIFICATE[code] ?? 'is not trusted'} (${code})`,
			"Check the address, ask whoever runs the service to renew the certificate, or have the certificate authority added to this n8n. 'Ignore SSL Issues (Insecure)' in Request Options goes on without checking",
		];
	}
	if (code.startsWith('HPE_')) {
		const hint = 'Check the address, or ask whoever runs the service';
		return [`What came from '${field}' is not HTTP that n8n can read (${code})`, hint];
	}
	const [happened, hint] = CONNECTION[code] ?? ['{address} could not be reached', 'Check the address'];
	return [happened.replace('{address}', `'${field}'`), hint];
}

/**
 * @param address where a redirect leads to, '' where it does not say
 * @returns what happened and how to fix it, for a call that is not sent on
 */
export function redirectWords(
	status: number,
	address: string,
	field: string,
): [happened: string, hint: string] {
	const hint = address
		? `If that is the service's own address, enter it in '${field}' of the credential`
		: `Check '${field}' in the credential`;
	return [`'${field}' sends the call on to ${address || 'nowhere'} (${status})`, hint];
}

/**
 * @param own words that come before the general ones
 * @returns what a response outside 2xx means and how to fix it
 */
export function statusWords(
	status: number,
	own: StatusWords = {},
): readonly [happened: string, hint: string] {
	return own[status] ?? STATUS[status] ?? STATUS[status >= 500 ? 500 : 400] ?? ['', ''];
}

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

/** What n8n's expression engine says of a value that it cannot hand over. */
const UNEVALUATED = 'Expression evaluation failed';

/**
 * Turns whatever went wrong for an item into an error a person can read, with the item in it.
 *
 * @param error anything thrown; n8n's own errors are passed on as they are
 */
export function toNodeError(place: ErrorContext, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const cause = error instanceof Error ? error : new Error(String(error));
	const description = descriptionOf(cause);
	const nodeError = new NodeOperationError(place.node, new Error(at(place, mask(cause.message))), {
		description,
		itemIndex: place.itemIndex,
	});
	return declare(nodeError, failureOf(cause));
}

function descriptionOf(cause: Error): string {
	if (cause instanceof InvalidValueError || cause instanceof TokenError || cause instanceof ExpressionError)
		return cause.description ?? '';
	return cause.message.startsWith(UNEVALUATED)
		? 'Check the expressions of this item: a function or a symbol, for example, is no value of a parameter'
		: 'If the problem persists, please report it with the workflow';
}

/** As {@link toNodeError} declares it; undefined where the error does not tell. */
function failureOf(error: Error): Failure | undefined {
	if (error instanceof InvalidValueError || error instanceof ExpressionError)
		return { cause: 'configuration-invalid' };
	return error instanceof TokenError ? error.failure : undefined;
}

/** Sets `failure`, which n8n reads from 2.41 on; older versions have no such field and leave it alone. */
function declare<E extends NodeApiError | NodeOperationError>(error: E, failure: Failure | undefined): E {
	if (failure) error.failure = failure;
	return error;
}

/**
 * What the service refused or could not do, as the error a person reads.
 *
 * @param details also found in the error output
 */
export function apiError(
	place: ErrorContext,
	happened: string,
	description: string,
	details: { status: number; fields: object[]; text: string; [more: string]: unknown },
): NodeApiError {
	const message = at(place, happened);
	const error = new NodeApiError(place.node, { message, ...details } as unknown as JsonObject, {
		message,
		description,
		httpCode: details.status > 0 ? String(details.status) : undefined,
		itemIndex: place.itemIndex,
	});
	error.context.service = details;
	return error;
}

function at({ action, itemIndex }: ErrorContext, happened: string): string {
	return `${happened} – ${action}${itemIndex === undefined ? '' : ` [item ${itemIndex}]`}`;
}
