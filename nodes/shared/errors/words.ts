import { isCertificateCode } from './failure';

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
		'Try again later; if the problem persists, check the values of this item',
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
