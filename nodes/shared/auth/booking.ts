import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { TokenRequestWords } from '../errors/failure';
import { normalizeAddress } from '../values/address';
import { requiredText } from '../values/invalidValue';
import { toNumber } from '../values/number';
import { checkHeaderText } from '../values/text';
import { type SignIn, headerOf, withHeaders } from './signing';
import { ignoresSslIssues } from './deployment';
import { type IssuedToken, accountKey, headerToken, requestToken } from './token';

/** What may be copied with an address: the path of the booking or article service, and of the token endpoint. */
const SERVICE_PATH = /\/api(?:\/(?:booking|am))?(?:\/v1)?$/i;
const TOKEN_PATH = /\/connect\/token$/i;
/** A token is replaced this long before it expires, or after nine tenths of a shorter lifetime. */
const MARGIN_MS = 30_000;
/** Of a token that comes without one. */
const DEFAULT_LIFETIME_S = 3600;

/** The error codes of RFC 6749, 5.2. */
const REJECTED_BY = /\b(?:invalid|unauthorized|unsupported)_[a-z]+/;
const TOKEN_WORDS: TokenRequestWords = {
	addressField: 'Token URL Base',
	rejected: [
		"The service rejected 'Client ID' or 'Client Secret'",
		'Copy both again from the integrations page of your developer account',
	],
	notAllowed: [
		"The service does not allow 'Client ID' to use its API",
		"Ask whoever runs the service for access: the client needs the scope 'publicAPI'",
	],
	none: [
		"No access token came from 'Token URL Base'",
		"Check 'Token URL Base' in the credential: tokens are requested from its /connect/token",
	],
};

/** An OAuth 2.0 client: a bearer token, and a `system` header unless the request has one. */
export const bookingAuth: SignIn = {
	addressField: 'Base URL',
	readAccount: (credentials) => {
		const address = normalizeAddress(credentials.baseUrl, 'Base URL', SERVICE_PATH);
		const authUrl = normalizeAddress(credentials.authUrl, 'Token URL Base', TOKEN_PATH);
		const clientId = requiredText(credentials.clientId, 'Client ID');
		const clientSecret = requiredText(credentials.clientSecret, 'Client Secret');
		const secrets = [clientSecret];
		const form = new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
			scope: 'publicAPI',
		});
		// See contract/openapi.yaml token.issue.
		const call = {
			path: '/connect/token',
			body: form,
			secrets,
			skipSslCertificateValidation: ignoresSslIssues(credentials),
		};
		return {
			key: accountKey('hospitalityBookingApi', address, authUrl, clientId, clientSecret),
			address,
			secrets,
			requestToken: async (send) =>
				await requestToken(send, {
					address: authUrl,
					call,
					read: readToken,
					rejectedBy: REJECTED_BY,
					words: TOKEN_WORDS,
				}),
		};
	},
	sign: (request, credentials, { token }) => {
		const headers: IDataObject = {};
		if (token !== undefined) headers.Authorization = `Bearer ${token}`;
		const hasSystem = headerOf(request, 'system') !== undefined || !('system' in credentials);
		if (!hasSystem) headers.system = systemOf(credentials);
		return withHeaders(request, headers);
	},
};

/** @throws InvalidValueError for a System that is empty or that a header cannot carry */
export function systemOf(credentials: ICredentialDataDecryptedObject): string {
	const system = requiredText(credentials.system, 'System');
	checkHeaderText(system, 'System');
	return system;
}

function readToken(body: Record<string, unknown>): IssuedToken | undefined {
	const token = headerToken(body.access_token);
	if (token === undefined) return undefined;
	// Some services write the number as a text. Without one it is NaN.
	let seconds = toNumber(body.expires_in);
	const isGiven = seconds > 0;
	if (!isGiven) seconds = DEFAULT_LIFETIME_S;
	const validMs = seconds * 1000;
	const marginMs = Math.min(MARGIN_MS, validMs / 10);
	return { token, endsAt: performance.now() + validMs - marginMs };
}
