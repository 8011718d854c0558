import type { Failure } from 'n8n-workflow';

/** Node's codes of a certificate that the machine does not trust. */
const CERTIFICATE_CODES = new Set([
	'CERT_HAS_EXPIRED',
	'CERT_NOT_YET_VALID',
	'CERT_REVOKED',
	'CERT_SIGNATURE_FAILURE',
	'CERT_UNTRUSTED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whether Node's `code` says that the certificate of the other side was refused. */
export function isCertificateCode(code: string): boolean {
	return CERTIFICATE_CODES.has(code);
}

/**
 * Why n8n's scheduler should wait before the next poll, by the status of a response outside 2xx.
 *
 * @param retryAfterMs what the service asked for in `Retry-After`
 * @returns undefined where the status does not tell
 */
export function failureOfStatus(status: number, retryAfterMs?: number): Failure | undefined {
	const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
	if (status === 429) return { cause: 'rate-limited', ...wait };
	if (status === 408 || status >= 500) return { cause: 'temporarily-unavailable', ...wait };
	if (status === 401) return { cause: 'credential-invalid' };
	if (status === 403) return { cause: 'configuration-invalid' };
	return undefined;
}

/** As {@link failureOfStatus}, for a call without a response. `code` is Node's, e.g. `ECONNREFUSED`. */
export function failureOfConnection(code: string): Failure {
	return { cause: isCertificateCode(code) ? 'configuration-invalid' : 'temporarily-unavailable' };
}
