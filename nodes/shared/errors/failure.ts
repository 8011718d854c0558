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
	/** Of another call of the account: this one waited for what that met, and was not sent. */
	isUnsent?: true;
};

type KindOfFailure =
	/** A response outside 2xx. */
	| { kind: 'status'; status: number; retryAfterMs?: number }
	/** No response. `code` is Node's, e.g. `ECONNREFUSED`; `isUnconnected` where there was no connection, whatever the code. */
	| { kind: 'connection'; code: string; isUnconnected?: true }
	/** The call was not sent: other calls of the account were before it for as long as it could wait. */
	| { kind: 'waited' }
	/** A redirect that is not followed: where to, '' where it does not say. */
	| { kind: 'redirect'; status: number; address: string }
	/** A success whose body is too large, not as JSON should be, or no data at all: `problem` completes "the response …". */
	| { kind: 'body'; reason: 'size' | 'format' | 'noData'; status: number; problem: string };

/** Carries a {@link CallFailure} to where its message is written. */
export class CallError extends Error {
	override name = 'CallError';

	constructor(readonly failure: CallFailure) {
		super(`The call ended with: ${failure.kind}`);
	}
}

/** @param cause in n8n's own terms. @returns whether it passes by itself */
export function isTransientCause(cause: string | undefined): boolean {
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}
