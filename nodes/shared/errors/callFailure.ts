import type { Failure } from 'n8n-workflow';

import type { ServiceMessage } from './serviceMessage';

/** What happened, and how to fix it. */
export type Words = readonly [happened: string, hint: string];

/** What is said of a request for a token. */
export interface TokenRequestWords {
	addressField: string;
	/** Where the service refused the account, and where something else came than a token. */
	refused: Words;
	none: Words;
}

/** What can go wrong with a call after its values are checked. */
export type CallFailure = KindOfFailure & {
	/** The service's message. */
	said?: ServiceMessage;
	/** It happened to the request for the token, so the call was not sent; `isRefused` where the service refuses the account. */
	ofToken?: TokenRequestWords & { isRefused: boolean };
	/** Not retried, though possible: too many recent calls of the account have failed. */
	isOverBudget?: true;
	/** Of another call of the account: this one waited for what that met, and was not sent. */
	isUnsent?: true;
	/** It was given up; milliseconds of waiting that would have helped, or did not. */
	neededMs?: number;
};

type KindOfFailure =
	/** A response outside 2xx. */
	| { kind: 'status'; status: number; retryAfterMs?: number }
	/** No response. `code` is Node's, e.g. `ECONNREFUSED`; `isUnconnected` where there was no connection, whatever the code. */
	| { kind: 'connection'; code: string; isUnconnected?: true }
	/** The call was not sent: other calls of the account were before it for as long as it could wait. */
	| { kind: 'waited' }
	/** A redirect that is not followed: where to, '' where it does not say, and whether that can be entered instead. */
	| { kind: 'redirect'; status: number; address: string; isService: boolean }
	/** A success whose body cannot be used: `problem` completes "the response …". */
	| { kind: 'body'; reason: BodyFailure; status: number; problem: string };

/** Too large, not as JSON should be, or no data at all. */
export type BodyFailure = 'size' | 'format' | 'noData';

/** Carries a {@link CallFailure} to where its message is written. */
export class CallError extends Error {
	override name = 'CallError';

	constructor(readonly failure: CallFailure) {
		super(`The call ended with: ${failure.kind}`);
	}
}

/** Codes of a connection that was not established: nothing was sent. */
const NOT_CONNECTED = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/** Codes of two sides that found no common TLS. */
const NO_TLS = /^(?:EPROTO$|ERR_SSL_.*(?:CERTIFICATE|HANDSHAKE|UNKNOWN_CA|UNRECOGNIZED_NAME|VERSION))/;

/** Node's codes of a certificate that the machine does not trust, with what is known of some. */
const CERTIFICATES: Readonly<Record<string, string>> = {
	CERT_HAS_EXPIRED: 'has expired',
	CERT_NOT_YET_VALID: 'is not valid yet',
	CERT_REVOKED: 'has been revoked',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
	ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
	SELF_SIGNED_CERT_IN_CHAIN: 'has a self-signed certificate in its chain',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "comes without its issuer's certificate",
};

/** Whether a code means that no connection was established. */
export function isNotConnected(code: string): boolean {
	return NOT_CONNECTED.test(code);
}

/** Whether a code means that no TLS was agreed on: nothing was sent, and no retry helps. */
export function isTlsFailure(code: string): boolean {
	return NO_TLS.test(code) || certificateProblem(code) !== undefined;
}

/** @returns what is wrong with a certificate, completing "the certificate …"; undefined for any other code */
export function certificateProblem(code: string): string | undefined {
	return CERTIFICATES[code] ?? (/^(?:CERT_|UNABLE_TO_)/.test(code) ? 'is not trusted' : undefined);
}

/** 429, or 503 with `Retry-After`: the service has not acted, but may later. */
export function isRateLimited(failure: CallFailure): boolean {
	if (failure.kind !== 'status') return false;
	return failure.status === 429 || (failure.status === 503 && failure.retryAfterMs !== undefined);
}

/**
 * Whether the service may have done what it was asked to, though the call did not succeed. Such a change is not repeated,
 * and its message says what to look at before a person does.
 */
export function mayHaveActed(failure: CallFailure): boolean {
	if (failure.ofToken) return false;
	if (failure.kind === 'connection')
		return !failure.isUnconnected && !isNotConnected(failure.code) && !isTlsFailure(failure.code);
	// The service shows elsewhere what came of it.
	if (failure.kind === 'redirect') return failure.status === 303;
	if (failure.kind !== 'status') return failure.kind === 'body';
	const isRejection = failure.status >= 400 && failure.status < 500 && failure.status !== 408;
	return !isRejection && !isRateLimited(failure);
}

/** @returns why n8n's scheduler should wait before the next poll; undefined where the failure does not tell */
export function n8nFailureOf(failure: CallFailure): Failure | undefined {
	const { ofToken, ...own } = failure;
	if (ofToken?.isRefused) return { cause: 'credential-invalid' };
	if (ofToken) return n8nFailureOf(own) ?? { cause: 'configuration-invalid' };
	if (failure.kind === 'status') return failureOfStatus(failure.status, failure.retryAfterMs);
	if (failure.kind === 'body') return undefined;
	const isSetting = failure.kind === 'redirect' || ('code' in failure && certificateProblem(failure.code));
	return { cause: isSetting ? 'configuration-invalid' : 'temporarily-unavailable' };
}

/** @param cause in n8n's own terms. @returns whether it passes by itself */
export function isTransientCause(cause: string | undefined): boolean {
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

function failureOfStatus(status: number, retryAfterMs?: number): Failure | undefined {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (status === 408 || status === 425 || status >= 500) return { cause: 'temporarily-unavailable', ...wait };
	if (status === 401) return { cause: 'credential-invalid' };
	return status === 403 || status === 407 ? { cause: 'configuration-invalid' } : undefined;
}
