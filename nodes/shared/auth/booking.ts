import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { normalizeAddress } from '../values/address';
import { requiredText } from '../values/invalidValue';
import { checkHeaderText } from '../values/text';
import { type SignIn, headerOf, withHeaders } from './signing';
import { ignoresSslIssues } from './deployment';
import { headerToken, requestToken } from './tokenRequest';
import { type IssuedToken, accountKey } from './tokens';

/** What may be copied with an address: the path of the booking or article service, and of the token endpoint. */
export const SERVICE_PATH = /\/api(?:\/(?:booking|am))?(?:\/v1)?$/i;
export const TOKEN_PATH = /\/connect\/token$/i;
/** A token is replaced this long before it expires, or after nine tenths of a shorter lifetime. */
const MARGIN_MS = 30_000;

/** An OAuth 2.0 client: a bearer token, and a `system` header unless the request has one. */
export const bookingAuth: SignIn = {
	addressField: 'Base URL',
	readAccount: (credentials) => {
		const address = normalizeAddress(credentials.baseUrl, 'Base URL', SERVICE_PATH);
		const authUrl = normalizeAddress(credentials.authUrl, 'Token URL Base', TOKEN_PATH);
		const clientId = requiredText(credentials.clientId, 'Client ID');
		const clientSecret = requiredText(credentials.clientSecret, 'Client Secret');
		const form = {
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
			scope: 'publicAPI',
		};
		const secrets = [clientSecret];
		return {
			key: accountKey('hospitalityBookingApi', address, authUrl, clientId, clientSecret),
			address,
			secrets,
			// See contract/openapi.yaml token.issue.
			requestToken: async (send) =>
				await requestToken(send, {
					addressField: 'Token URL Base',
					address: authUrl,
					call: {
						...{ path: '/connect/token', body: new URLSearchParams(form), secrets },
						skipSslCertificateValidation: ignoresSslIssues(credentials),
					},
					read: readToken,
					// The error codes of RFC 6749, 5.2.
					refusedBy: /\b(?:invalid|unauthorized|unsupported)_[a-z]+/,
					refused: [
						"The service rejected 'Client ID' or 'Client Secret'",
						'Copy both again from the integrations page of your developer account',
					],
					none: [
						"No access token came from 'Token URL Base'",
						"Check 'Token URL Base' in the credential: tokens are requested from its /connect/token",
					],
				}),
		};
	},
	sign: (request, credentials, { token }) => {
		const hasSystem = headerOf(request, 'system') !== undefined || !('system' in credentials);
		return withHeaders(request, {
			...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
			...(hasSystem ? {} : { system: systemOf(credentials) }),
		});
	},
};

/** @throws InvalidValueError for a System that is empty or that a header cannot carry */
export function systemOf(credentials: ICredentialDataDecryptedObject): string {
	const system = requiredText(credentials.system, 'System');
	checkHeaderText(system, 'System');
	return system;
}

function readToken({
	access_token: issued,
	expires_in: seconds,
}: Record<string, unknown>): IssuedToken | undefined {
	const token = headerToken(issued);
	if (token === undefined) return undefined;
	// Some services write the number as a text.
	const validMs = (Number(seconds) > 0 ? Number(seconds) : 3600) * 1000;
	return { token, endsAt: performance.now() + validMs - Math.min(MARGIN_MS, validMs / 10) };
}
