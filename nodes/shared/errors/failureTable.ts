import type { Failure } from 'n8n-workflow';

import { type CallFailure, type Words, isTransientCause } from './failure';

/** What follows from how an attempt at a call has ended. */
export interface Outcome {
	/** Whether the service may have done what it was asked to: a change is then not repeated, and its message says so. */
	mayHaveActed: boolean;
	/** Whether the call waits to be sent again, is repeated a few times if it changes nothing, or has ended. */
	next: 'wait' | 'repeat' | 'end';
	/** What the account's limiter learns. */
	limiter: 'responded' | 'throttled' | 'held' | 'failed' | 'cancelled';
	/** Why n8n's scheduler should wait before the next poll; undefined where the outcome does not tell. */
	cause?: Failure['cause'];
}

/** `{address}` stands for the credential's field with the address, `{detail}` for what differs from call to call. */
type Row = Outcome & { words: Words };

const row = (outcome: Outcome, ...words: Words): Row => ({ ...outcome, words });

/** The service has said no, and done nothing. */
const REJECTED: Outcome = { mayHaveActed: false, next: 'end', limiter: 'responded' };
/** The account or the network is set up in another way. */
const MISCONFIGURED: Outcome = { ...REJECTED, cause: 'configuration-invalid' };
/** The service has responded, but nobody knows what it has done. */
const UNCLEAR: Outcome = { mayHaveActed: true, next: 'end', limiter: 'responded' };
const FAILED: Outcome = { ...UNCLEAR, cause: 'temporarily-unavailable' };
/** It did not respond, or not in time: another attempt may go better. */
const UNAVAILABLE: Outcome = { ...FAILED, next: 'repeat', limiter: 'failed' };
/** It was not reached, or had no time for this call. */
const HELD: Outcome = { ...FAILED, mayHaveActed: false, next: 'wait', limiter: 'held' };
const RATE_LIMITED: Outcome = { ...HELD, limiter: 'throttled', cause: 'rate-limited' };
/** It ended on this side, which tells nothing about the service. */
const STOPPED: Outcome = { ...FAILED, limiter: 'cancelled' };

const LATER = 'Try again later';
const LATER_OR_LESS = 'Try again later, or request less data at a time';
const CHECK_VALUES = 'Check the values that were sent';
const CHECK_ADDRESS = 'Check {address} in the credential';
const NOT_FOLLOWED = `The redirect was not followed. ${CHECK_ADDRESS}`;

/** A row for each way in which a call ends without success: by status, by Node's code, by name. */
const OUTCOMES = {
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
	408: row(FAILED, 'The service did not receive the whole request in time', LATER),
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
		FAILED,
		'The service could not process the request',
		'Try again later. If it keeps happening, check the values that were sent',
	),
	502: row(UNAVAILABLE, 'A gateway in front of the service got no response', LATER),
	503: row(UNAVAILABLE, 'The service is not available', LATER),
	'503 with Retry-After': row(HELD, 'The service is not available', LATER),
	504: row(UNAVAILABLE, 'The service did not respond to its gateway in time', LATER_OR_LESS),
	rejection: row(
		REJECTED,
		'The service rejected the request',
		'Ask whoever runs the service what this status means',
	),

	ECONNREFUSED: row(
		HELD,
		'Nothing responds at {address}',
		"Check the address, that the service is running, and n8n's proxy if it has one",
	),
	ENOTFOUND: row(HELD, 'The host of {address} is not known', 'Check the address for typos'),
	EAI_AGAIN: row(
		HELD,
		'The host of {address} could not be looked up',
		"Check the address and this machine's network",
	),
	EHOSTUNREACH: row(HELD, '{address} could not be reached', 'Check the address'),
	ETIMEDOUT: row(UNAVAILABLE, '{address} did not respond in time', LATER_OR_LESS),
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
} satisfies Record<string, Row>;

/** Node's other codes, by the row that they share; any other is a connection that broke. */
const CODES: ReadonlyArray<readonly [codes: RegExp, key: keyof typeof OUTCOMES]> = [
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

/** @returns what follows from how an attempt has ended; where it was the request for a token, the call itself was not sent */
export function outcomeOf(failure: CallFailure): Outcome {
	const { ofToken, isUnsent } = failure;
	const { mayHaveActed, next, limiter, cause } = rowOf(failure);
	if (!ofToken) return { mayHaveActed: mayHaveActed && !isUnsent, next, limiter, cause };
	return {
		mayHaveActed: false,
		next: next === 'end' || ofToken.isRefused ? 'end' : 'wait',
		limiter: limiter === 'failed' ? 'held' : limiter,
		cause: ofToken.isRefused ? 'credential-invalid' : (cause ?? 'configuration-invalid'),
	};
}

/** @returns why a call failed, in the terms of n8n's scheduler; undefined where the outcome does not tell */
export function n8nFailureOf(failure: CallFailure): Failure | undefined {
	const { cause } = outcomeOf(failure);
	if (cause === undefined) return undefined;
	const isTimed =
		isTransientCause(cause) && failure.kind === 'status' && failure.retryAfterMs !== undefined;
	return { cause, ...(isTimed ? { retryAfterMs: failure.retryAfterMs } : {}) } as Failure;
}

/** @returns the row of a failure, before what a token or an operation makes of it */
export function rowOf(failure: CallFailure): Row {
	return OUTCOMES[keyOf(failure)];
}

function keyOf(failure: CallFailure): keyof typeof OUTCOMES {
	switch (failure.kind) {
		case 'status': {
			const { status, retryAfterMs } = failure;
			if (status === 503 && retryAfterMs !== undefined) return '503 with Retry-After';
			if (isKey(status)) return status;
			// A success without a token is a rejection too.
			return (status >= 400 && status < 500) || status < 300 ? 'rejection' : 500;
		}
		case 'connection': {
			const { code, isUnconnected } = failure;
			const key = isKey(code)
				? code
				: (CODES.find(([codes]) => codes.test(code))?.[1] ?? 'ECONNRESET');
			// Without a connection nothing was sent.
			return isUnconnected && OUTCOMES[key].mayHaveActed ? 'EHOSTUNREACH' : key;
		}
		case 'redirect':
			return failure.status === 303 ? 303 : 'redirect';
		case 'body':
			return failure.reason;
		case 'waited':
			return 'waited';
	}
}

function isKey(name: string | number): name is keyof typeof OUTCOMES {
	return Object.hasOwn(OUTCOMES, name);
}
