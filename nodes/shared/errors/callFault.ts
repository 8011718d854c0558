/** Where the proxy is set that a call goes through. */
export type ProxySetting = 'node' | 'n8n';

/** What can go wrong with a call once its values are checked and it has a token. */
export type CallFault =
	/** A response outside 2xx; `proxy` where not the service sent it. */
	| { kind: 'status'; status: number; body?: unknown; retryAfterMs?: number; proxy?: ProxySetting }
	/** No response. `code` is Node's, e.g. `ECONNREFUSED`; `proxy` where the connection to that did not come about. */
	| { kind: 'connection'; code: string; proxy?: ProxySetting }
	/** The call was not sent: the service has asked for a pause that outlasts it. */
	| { kind: 'pause'; status: number; pauseMs: number }
	/** A redirect that is not followed: where to, '' where it does not say, and whether that can be entered instead. */
	| { kind: 'redirect'; status: number; address: string; isService: boolean }
	/** A success whose body cannot be used. */
	| { kind: 'body'; reason: BodyFault; status: number; complaint: string; body?: unknown };

/** Too large, not as JSON should be, or no data at all. */
export type BodyFault = 'size' | 'format' | 'noData';

/** Carries a {@link CallFault} to where it is translated. */
export class CallError extends Error {
	override name = 'CallError';

	constructor(readonly fault: CallFault) {
		super(`The call ended with: ${fault.kind}`);
	}
}

/** Codes of a connection that was not made, so that nothing was sent. */
const NOT_CONNECTED = new Set([
	'ECONNREFUSED',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EPROTO',
]);

/** Node's codes of a certificate that the machine does not trust, with what is known of some. */
const CERTIFICATES: Readonly<Record<string, string>> = {
	CERT_HAS_EXPIRED: 'has expired',
	CERT_NOT_YET_VALID: 'is not valid yet',
	CERT_REVOKED: 'has been revoked',
	CERT_SIGNATURE_FAILURE: 'is not trusted',
	CERT_UNTRUSTED: 'is not trusted',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
	ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
	SELF_SIGNED_CERT_IN_CHAIN: 'leads to a self-signed one',
	UNABLE_TO_GET_ISSUER_CERT: 'is not trusted',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is not trusted',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'does not come with the certificates of its issuer',
};

/** @returns what is wrong with a certificate, completing "the certificate …"; undefined for any other code */
export function certificateComplaint(code: string): string | undefined {
	return CERTIFICATES[code];
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
	switch (fault.kind) {
		case 'connection':
			return !fault.proxy && !NOT_CONNECTED.has(fault.code) && !certificateComplaint(fault.code);
		case 'status':
			return !fault.proxy && (fault.status === 408 || fault.status >= 500) && !isRateLimited(fault);
		case 'body':
			return true;
		case 'pause':
		case 'redirect':
			return false;
	}
}
