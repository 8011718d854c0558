import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { type Network, isSuccess } from '../transport/response';
import { normalizeBaseUrl, normalizeTokenUrl } from '../values/address';
import { requiredText } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { checkHeaderText } from '../values/text';
import { completeRequest, headerOf, requestAddress } from './authorizedRequest';
import { heldToken } from './session';
import { askForToken, tokenRefusal } from './tokenRequest';
import { type IssuedToken, accountKey, readOnce } from './tokens';

const SCOPE = 'publicAPI';
/** A token is replaced this long before the service drops it, or after nine tenths of a shorter life. */
const MARGIN_MS = 30_000;

interface Client {
	authUrl: string;
	clientId: string;
	clientSecret: string;
}

/** @throws InvalidValueError for a field of the credential that is empty or malformed */
export const bookingAccount = readOnce((credentials) => {
	const address = normalizeBaseUrl(credentials.baseUrl);
	const authUrl = normalizeTokenUrl(credentials.authUrl);
	const clientId = requiredText(credentials.clientId, 'Client ID');
	const clientSecret = requiredText(credentials.clientSecret, 'Client Secret');
	return {
		key: accountKey('hospitalityBookingApi', address, authUrl, clientId, clientSecret),
		address,
		secrets: [clientSecret],
		requestToken: async (http, network) =>
			await requestToken(http, { authUrl, clientId, clientSecret }, network),
	};
});

/**
 * Completes a request: address, bearer token and `system` header.
 *
 * @param options a `system` header that is already there wins
 */
export function authenticateBookingRequest(
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	const account = bookingAccount(credentials);
	const address = requestAddress(options, account.address, 'Base URL');
	const token = heldToken(credentials, account);
	const hasSystem = headerOf(options, 'system') !== undefined || !('system' in credentials);
	const headers: IDataObject = {
		...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
		...(hasSystem ? {} : { system: systemOf(credentials) }),
	};
	return completeRequest(options, address, headers);
}

/** @throws InvalidValueError for a System that is empty or that a header cannot carry */
export function systemOf(credentials: ICredentialDataDecryptedObject): string {
	const system = requiredText(credentials.system, 'System');
	checkHeaderText(system, 'System');
	return system;
}

/** @see contract/openapi.yaml token.issue */
async function requestToken(
	http: IHttpRequestHelper,
	{ authUrl, clientId, clientSecret }: Client,
	network?: Network,
): Promise<IssuedToken> {
	const form = {
		grant_type: 'client_credentials',
		client_id: clientId,
		client_secret: clientSecret,
		scope: SCOPE,
	};
	const secrets = [clientSecret];
	const response = await askForToken(http, {
		addressField: 'Token URL Base',
		address: authUrl,
		path: '/connect/token',
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		body: new URLSearchParams(form).toString(),
		network,
		secrets,
	});

	const { access_token: token, expires_in: seconds } = isRecord(response.body) ? response.body : {};
	if (!isSuccess(response.status) || typeof token !== 'string' || token === '') {
		throw tokenRefusal(response, secrets, {
			refused: "The service refused 'Client ID' and 'Client Secret'",
			refusedHint: 'Copy both again from the integrations page of your developer account',
			none: "No access token came from 'Token URL Base'",
			noneHint: "Check 'Token URL Base' in the credential: the token is asked for at its /connect/token",
		});
	}
	const validMs = (typeof seconds === 'number' && seconds > 0 ? seconds : 3600) * 1000;
	return { token, expiresAt: Date.now() + validMs - Math.min(MARGIN_MS, validMs / 10) };
}
