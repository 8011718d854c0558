import type { Failure } from 'n8n-workflow';

import {
	type CallFailure,
	type FailedToken,
	type Words,
	askedPauseMs,
	isTransientCause,
} from './failure';

/** What follows from how an attempt at a call has ended. */
export interface Outcome {
	/** Whether the service may have done what it was asked to: a change is then not retried, and its message says so. */
	mayHaveActed: boolean;
	/** What becomes of the call: it waits until it can be sent, is retried a few times if it changes nothing, or ends. */
	next: 'retryWhenReady' | 'retryIfSafe' | 'end';
	/** What the account's limiter learns. */
	limiter: 'responded' | 'throttled' | 'notAccepted' | 'failed' | 'cancelled';
	/** Why n8n's scheduler should wait before the next poll; undefined where the outcome does not tell. */
	cause?: Failure['cause'];
	/** `{address}` stands for the credential's field with the address, `{detail}` for what differs from call to call. */
	words: Words;
}

type Consequences = Omit<Outcome, 'words'>;

const row = (consequences: Consequences, ...words: Words): Outcome => ({ ...consequences, words });

/** The service has said no, and done nothing. */
const REJECTED: Consequences = { mayHaveActed: false, next: 'end', limiter: 'responded' };
/** The account or the network is set up in another way. */
const MISCONFIGURED: Consequences = { ...REJECTED, cause: 'configuration-invalid' };
/** The service has responded, but nobody knows what it has done. */
const UNCLEAR: Consequences = { mayHaveActed: true, next: 'end', limiter: 'responded' };
const ERRORED: Consequences = { ...UNCLEAR, cause: 'temporarily-unavailable' };
/** It did not respond, or not in time: another attempt may go better. */
const UNAVAILABLE: Consequences = { ...ERRORED, next: 'retryIfSafe', limiter: 'failed' };
/** The service did nothing: it was not reached, or has asked to come back later. */
const NOT_ACCEPTED: Consequences = {
	...ERRORED,
	mayHaveActed: false,
	next: 'retryWhenReady',
	limiter: 'notAccepted',
};
const RATE_LIMITED: Consequences = { ...NOT_ACCEPTED, limiter: 'throttled', cause: 'rate-limited' };
/** It ended on this side, which tells nothing about the service. */
const STOPPED: Consequences = { ...ERRORED, limiter: 'cancelled' };

const LATER = 'Try again later';
const LATER_OR_LESS = 'Try again later, or request less data at a time';
const CHECK_VALUES = 'Check the values that were sent';
const CHECK_ADDRESS = 'Check {address} in the credential';
const NOT_FOLLOWED = `The redirect was not followed. ${CHECK_ADDRESS}`;

/**
 * A row for each way in which a call ends without success: by status, by Node's code, by name. A service or an operation says in its
 * own words what a status means there: `statusWords` of its row, e.g. for 404 in
 * `HospitalityPayment/resources/subscription/get.operation.ts`.
 */
const FAILURES = {
	400: row(REJECTED, 'The service rejected the values', CHECK_VALUES),
	401: row(
		{ ...REJECTED, cause: 'credential-invalid' },
		'The service rejected the access token, and a new one too',
		"Check 'Client ID' and 'Client Secret' in the credential, and that the account may use this 'System'",
	),
	403: row(
		MISCONFIGURED,
		'The account is not allowed to do this',
		"Ask whoever runs the service for access, or check 'System'",
	),
	404: row(
		REJECTED,
		'The service found no such record',
		'Check the ID, and {address} in the credential',
	),
	407: row(
		MISCONFIGURED,
		'The proxy in front of {address} requires a user name and password',
		"Enter them in n8n's proxy settings (HTTP_PROXY, HTTPS_PROXY)",
	),
	408: row(ERRORED, 'The service did not receive the whole request in time', LATER),
	409: row(
		REJECTED,
		'The service rejected the change because of the state of the record',
		'Read the record again, then repeat the change',
	),
	413: row(REJECTED, 'The request is too large for the service', 'Send less data at a time'),
	422: row(REJECTED, 'The service rejected the values', CHECK_VALUES),
	429: row(
		RATE_LIMITED,
		'The service is rate-limiting this account',
		'Try again later, or ask whoever runs the service for a higher limit',
	),
	500: row(
		ERRORED,
		'The service could not process the request',
		'Try again later. If it keeps happening, check the values that were sent',
	),
	502: row(UNAVAILABLE, 'A gateway in front of the service got no response', LATER),
	503: row(UNAVAILABLE, 'The service is not available', LATER),
	'503 with Retry-After': row(NOT_ACCEPTED, 'The service is not available', LATER),
	504: row(UNAVAILABLE, 'The service did not respond to its gateway in time', LATER_OR_LESS),
	rejection: row(
		REJECTED,
		'The service rejected the request',
		'Ask whoever runs the service what this status means',
	),

	ECONNREFUSED: row(
		NOT_ACCEPTED,
		'Nothing responds at {address}',
		"Check the address, that the service is running, and n8n's proxy if it has one",
	),
	ENOTFOUND: row(NOT_ACCEPTED, 'The host of {address} is not known', 'Check the address for typos'),
	EAI_AGAIN: row(
		NOT_ACCEPTED,
		'The host of {address} could not be looked up',
		"Check the address and this machine's network",
	),
	EHOSTUNREACH: row(NOT_ACCEPTED, '{address} could not be reached', 'Check the address'),
	ETIMEDOUT: row(UNAVAILABLE, '{address} did not respond {detail}', LATER_OR_LESS),
	ECONNRESET: row(UNAVAILABLE, 'The connection to {address} broke', LATER),
	// n8n counts an execution as stopped by the word 'canceled'.
	ERR_CANCELED: row(
		STOPPED,
		'The execution was stopped, so its call was canceled',
		'Run the workflow again for the rest',
	),
	invalidHttp: row(
		{ ...UNCLEAR, cause: 'configuration-invalid' },
		'The response from {address} is not valid HTTP',
		'Check the address, or ask whoever runs the service',
	),
	tls: row(MISCONFIGURED, 'No secure connection to {address} was agreed on', 'Check the address'),
	certificate: row(
		MISCONFIGURED,
		'The certificate of {address} is not trusted',
		"Check the address, ask whoever runs the service to renew the certificate, or have the certificate authority added to this n8n. 'Ignore SSL Issues (Insecure)' in the credential skips the check",
	),

	// A success whose body cannot be used.
	size: row(UNCLEAR, 'The response {detail}', 'Request less data at a time'),
	format: row(
		UNCLEAR,
		'The response {detail}',
		'Try again later. If it keeps happening, ask whoever runs the service',
	),
	noData: row(
		UNCLEAR,
		'The response {detail}',
		`${CHECK_ADDRESS}: it may lead to a sign-in page or a proxy`,
	),

	redirect: row(MISCONFIGURED, '{address} redirects {detail}', NOT_FOLLOWED),
	// The service shows elsewhere what came of it.
	303: row({ ...MISCONFIGURED, mayHaveActed: true }, '{address} redirects {detail}', NOT_FOLLOWED),
	waited: row(
		{ ...STOPPED, mayHaveActed: false },
		'The call was not sent: other calls for this account used up its time',
		LATER,
	),
} satisfies Record<string, Outcome>;

type FailureName = keyof typeof FAILURES;

/** Node's other codes, by the row that they share; any other is a connection that broke. */
const CODES: ReadonlyArray<readonly [codes: RegExp, name: FailureName]> = [
	[/^ENETUNREACH$/, 'EHOSTUNREACH'],
	[/^ECONNABORTED$/, 'ETIMEDOUT'],
	// Of a body too that is not compressed as its header says: gzip and deflate, brotli, zstd.
	[/^(?:HPE_|Z_|ERR__|ERR_BROTLI|ZSTD_)/, 'invalidHttp'],
	[/^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_)/, 'certificate'],
	[
		/^(?:EPROTO$|ERR_SSL_.*(?:CERTIFICATE|HANDSHAKE|PACKET_LENGTH|UNKNOWN_CA|UNRECOGNIZED_NAME|VERSION))/,
		'tls',
	],
];

/** @returns what follows from how an attempt has ended, and what to say of it */
export function outcomeOf(failure: CallFailure): Outcome {
	const usual: Outcome = FAILURES[nameOf(failure)];
	if (failure.ofToken) return tokenOutcome(failure, usual, failure.ofToken);
	return failure.isUnsent ? { ...usual, mayHaveActed: false } : usual;
}

const PROXY_WANTS_PASSWORD = 407;

/** Of a request for a token: the call itself was not sent, and is retried as long as there may be a token. */
function tokenOutcome(failure: CallFailure, usual: Outcome, token: FailedToken): Outcome {
	const outcome: Outcome = { ...usual, mayHaveActed: false };
	if (usual.limiter === 'failed') outcome.limiter = 'notAccepted';
	if (token.reason !== 'none') {
		const isRejected = token.reason === 'rejected';
		outcome.next = 'end';
		outcome.cause = isRejected ? 'credential-invalid' : 'configuration-invalid';
		outcome.words = token[token.reason];
		return outcome;
	}
	if (usual.next === 'retryIfSafe') outcome.next = 'retryWhenReady';
	outcome.cause ??= 'configuration-invalid';
	// Where something came in place of a token, it says so; of a proxy its own words say more.
	const isOfProxy = failure.kind === 'status' && failure.status === PROXY_WANTS_PASSWORD;
	if (!isOfProxy && (failure.kind === 'status' || failure.kind === 'body')) {
		const isTransient = isTransientCause(usual.cause);
		const hint = isTransient ? usual.words[1] : token.none[1];
		outcome.words = [token.none[0], hint];
	}
	return outcome;
}

function nameOf(failure: CallFailure): FailureName {
	switch (failure.kind) {
		case 'status':
			return nameOfStatus(failure);
		case 'connection': {
			const name = nameOfCode(failure.code);
			const isUnsent = failure.isUnconnected && FAILURES[name].mayHaveActed;
			return isUnsent ? 'EHOSTUNREACH' : name;
		}
		case 'redirect':
			return failure.status === 303 ? 303 : 'redirect';
		case 'body':
			return failure.reason;
		case 'waited':
			return 'waited';
	}
}

function nameOfStatus(failure: CallFailure & { kind: 'status' }): FailureName {
	const { status, retryAfterMs } = failure;
	if (status === 503 && retryAfterMs !== undefined) return '503 with Retry-After';
	if (isName(status)) return status;
	// A success without a token is a rejection too.
	const isRejection = status < 300 || (status >= 400 && status < 500);
	return isRejection ? 'rejection' : 500;
}

function nameOfCode(code: string): FailureName {
	if (isName(code)) return code;
	for (const [codes, name] of CODES) {
		if (codes.test(code)) return name;
	}
	return 'ECONNRESET';
}

function isName(name: string | number): name is FailureName {
	return Object.hasOwn(FAILURES, name);
}

/** @returns why a call failed, in the terms of n8n's scheduler; undefined where the outcome does not tell */
export function n8nFailureOf(failure: CallFailure): Failure | undefined {
	const { cause } = outcomeOf(failure);
	if (cause === undefined) return undefined;
	const retryAfterMs = askedPauseMs(failure);
	const isTimed = retryAfterMs !== undefined && isTransientCause(cause);
	return (isTimed ? { cause, retryAfterMs } : { cause }) as Failure;
}

/** What a service or an operation says of a status, in place of the common words of the table. */
export type StatusWords = Readonly<Record<number, Words>>;

/** Decides which settings a hint may name. */
export interface WordsContext {
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	statusWords?: StatusWords;
	/** Whether the call is made for input items: only there are 'Options'. */
	inRun?: boolean;
}

/** @returns what happened and how to fix it, in words that fit where they are read */
export function failureWords(failure: CallFailure, context: WordsContext): Words {
	const { next, words } = outcomeOf(failure);
	const [happened, hint] = ownWords(failure, context) ?? words;
	const option = context.inRun ? optionToRaise(failure, next) : undefined;
	const field = failure.ofToken?.addressField ?? context.addressField ?? 'Base URL';
	const address = `'${field}'`;
	const detail = detailOf(failure, option === TIMEOUT_OPTION);
	let what = happened.replace('{address}', address).replace('{detail}', () => detail);
	what += codeSuffixOf(failure);
	if (failure.isUnsent) what += ': the call was not sent';
	let how = hint.replace('{address}', address);
	if (option) how += `, or raise '${option}' under Options`;
	return [what, how];
}

/** What an operation says of a 401 or 403 is not about a request for a token. */
function ownWords(failure: CallFailure, context: WordsContext): Words | undefined {
	if (failure.kind !== 'status' || failure.ofToken) return undefined;
	return context.statusWords?.[failure.status];
}

const TIMEOUT_OPTION = 'Timeout';

/** The option of a node that may help, if there is one. */
function optionToRaise(failure: CallFailure, next: Outcome['next']): string | undefined {
	if (next === 'retryWhenReady') return 'Give Up After (Minutes)';
	const isTimeout = failure.kind === 'connection' && failure.timeoutMs !== undefined;
	return isTimeout ? TIMEOUT_OPTION : undefined;
}

function detailOf(failure: CallFailure, isOfOption: boolean): string {
	switch (failure.kind) {
		case 'redirect':
			return failure.address ? `to ${failure.address}` : 'without a target';
		case 'body':
			return failure.problem;
		case 'connection':
			if (failure.timeoutMs === undefined) return 'in time';
			if (!isOfOption) return `within ${failure.timeoutMs} ms`;
			return `within ${failure.timeoutMs} ms ('${TIMEOUT_OPTION}')`;
		default:
			return '';
	}
}

/** The status or code, where the words do not say as much. */
function codeSuffixOf(failure: CallFailure): string {
	switch (failure.kind) {
		case 'connection':
			return ` (${failure.code})`;
		case 'waited':
			return '';
		case 'body':
			return failure.reason === 'noData' ? ` (${failure.status})` : '';
		default:
			return ` (${failure.status})`;
	}
}
