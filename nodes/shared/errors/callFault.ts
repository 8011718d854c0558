import type { Failure } from 'n8n-workflow';

import { ExplainedError } from './help';
import type { ServiceMessage } from './serviceMessage';

/** Where the proxy is set that a call goes through: in the node or its credential, or for the whole n8n. */
export type ProxySetting = 'own' | 'n8n';

/** What can go wrong with a call once its values are checked and it has a token. */
export type CallFault = Fault & {
	/** Not retried, though it could have been: too many calls of the account have failed of late. */
	isOverBudget?: true;
	/** Of another call of the account: this one waited for what that met, and was not sent. */
	isUnsent?: true;
	/** It was given up; milliseconds of waiting that would have helped, or did not. */
	neededMs?: number;
};

type Fault =
	/** A response outside 2xx; `proxy` where not the service sent it. */
	| {
			kind: 'status';
			status: number;
			said?: ServiceMessage;
			retryAfterMs?: number;
			proxy?: ProxySetting;
	  }
	/** No response. `code` is Node's, e.g. `ECONNREFUSED`; `proxy` where the connection to that did not come about. */
	| { kind: 'connection'; code: string; proxy?: ProxySetting }
	/** The call was not sent: the service has asked for a pause that outlasts it. */
	| { kind: 'pause'; status: number; pauseMs: number }
	/** The call was not sent: other calls of the account were before it for as long as it could wait. */
	| { kind: 'waited' }
	/** A redirect that is not followed: where to, '' where it does not say, and whether that can be entered instead. */
	| { kind: 'redirect'; status: number; address: string; isService: boolean }
	/** A success whose body cannot be used: `problem` completes "the response …". */
	| { kind: 'body'; reason: BodyFault; status: number; problem: string; said?: ServiceMessage };

/** Too large, not as JSON should be, or no data at all. */
export type BodyFault = 'size' | 'format' | 'noData';

/** Carries a {@link CallFault} to where it is translated. */
export class CallError extends Error {
	override name = 'CallError';

	constructor(readonly fault: CallFault) {
		super(`The call ended with: ${fault.kind}`);
	}
}

/** No token could be had. */
export class TokenError extends ExplainedError {
	override name = 'TokenError';

	constructor(
		message: string,
		description: string,
		/** Why there was none; undefined where the account was refused one. */
		readonly fault?: CallFault,
		failure?: Failure,
	) {
		super(message, description, failure);
	}
}

/** Codes of a connection that was not made, so that nothing was sent. */
const NOT_CONNECTED = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EPROTO)$/;

/** Node's codes of a certificate that the machine does not trust, with what is known of some. */
const CERTIFICATES: Readonly<Record<string, string>> = {
	CERT_HAS_EXPIRED: 'has expired',
	CERT_NOT_YET_VALID: 'is not valid yet',
	CERT_REVOKED: 'has been revoked',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
	ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
	SELF_SIGNED_CERT_IN_CHAIN: 'leads to a self-signed one',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'does not come with the certificates of its issuer',
};

/** Whether a code is of a connection that did not come about. */
export function isNotConnected(code: string): boolean {
	return NOT_CONNECTED.test(code);
}

/** @returns what is wrong with a certificate, completing "the certificate …"; undefined for any other code */
export function certificateProblem(code: string): string | undefined {
	return CERTIFICATES[code] ?? (/^(?:CERT_|UNABLE_TO_)/.test(code) ? 'is not trusted' : undefined);
}

/** 429, or 503 with `Retry-After`: the service has not acted, and says that it may later. */
export function isRateLimited(fault: CallFault): boolean {
	if (fault.kind !== 'status' || fault.proxy) return false;
	return fault.status === 429 || (fault.status === 503 && fault.retryAfterMs !== undefined);
}

/**
 * Whether the service may have done what it was asked to, though the call did not succeed. Such a change is not repeated,
 * and its message says what to look at before a person does.
 */
export function mayHaveActed(fault: CallFault): boolean {
	if ('proxy' in fault && fault.proxy) return false;
	if (fault.kind === 'connection') return !isNotConnected(fault.code) && !certificateProblem(fault.code);
	if (fault.kind === 'status') return (fault.status === 408 || fault.status >= 500) && !isRateLimited(fault);
	return fault.kind === 'body';
}

/** @returns why n8n's scheduler should wait before the next poll; undefined where the fault does not tell */
export function failureOf(fault: CallFault): Failure | undefined {
	if (fault.kind === 'status') return failureOfStatus(fault.status, fault.retryAfterMs);
	if (fault.kind === 'pause') return failureOfStatus(fault.status, fault.pauseMs);
	if (fault.kind === 'body') return undefined;
	const isSetting = fault.kind === 'redirect' || ('code' in fault && certificateProblem(fault.code));
	return { cause: isSetting ? 'configuration-invalid' : 'temporarily-unavailable' };
}

function failureOfStatus(status: number, retryAfterMs?: number): Failure | undefined {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (status === 408 || status === 425 || status >= 500) return { cause: 'temporarily-unavailable', ...wait };
	if (status === 401) return { cause: 'credential-invalid' };
	return status === 403 || status === 407 ? { cause: 'configuration-invalid' } : undefined;
}
