import type { ServiceMessage } from './serviceMessage';

/** What happened, and how to fix it. */
export type Words = readonly [happened: string, hint: string];

/** Why there is no token: the service rejected the account, does not allow it to do this, or sent something else. */
export type NoTokenReason = 'rejected' | 'notAllowed' | 'none';

/** What is said of a request for a token, by why there is none. */
export type TokenRequestWords = Readonly<Record<NoTokenReason, Words>> & {
	/** The credential's field with the address that issues tokens. */
	addressField: string;
};

export type FailedToken = TokenRequestWords & { reason: NoTokenReason };

/** What can go wrong with a call after its values are checked. */
export type CallFailure = KindOfFailure & {
	/** The service's message. */
	said?: ServiceMessage;
	/** The request for a token failed, so the call itself was not sent: what is said of that. */
	ofToken?: FailedToken;
	/** Another call of the account failed in this way, for as long as this one could wait: it was not sent. */
	isUnsent?: true;
};

type KindOfFailure =
	| { kind: 'status'; status: number; retryAfterMs?: number }
	| ConnectionFailure
	/** The call was not sent: other calls of the account were before it for as long as it could wait. */
	| { kind: 'waited' }
	/** A redirect that is not followed: where to, '' where it does not say. */
	| { kind: 'redirect'; status: number; address: string }
	/** A success whose body is too large, not as JSON should be, or no data at all: `problem` completes "the response …". */
	| { kind: 'body'; reason: 'size' | 'format' | 'noData'; status: number; problem: string };

/** No response came. */
interface ConnectionFailure {
	kind: 'connection';
	/** Node's code, e.g. `ECONNREFUSED`. */
	code: string;
	/** There was no connection, whatever the code. */
	isUnconnected?: true;
	/** Milliseconds that the call may take and has taken. */
	timeoutMs?: number;
}

/** Carries a {@link CallFailure} to where its message is written. */
export class CallError extends Error {
	override name = 'CallError';

	constructor(readonly failure: CallFailure) {
		super(`The call ended with: ${failure.kind}`);
	}
}

/** @returns the milliseconds that the service asks to wait (`Retry-After`); undefined if it names no time */
export function askedPauseMs(failure: CallFailure): number | undefined {
	if (failure.kind !== 'status') return undefined;
	return failure.retryAfterMs;
}

/** @param cause in n8n's own terms. @returns whether it passes by itself */
export function isTransientCause(cause: string | undefined): boolean {
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}
