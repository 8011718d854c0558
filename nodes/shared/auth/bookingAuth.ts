import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { normalizeServiceUrl } from '../values/address';
import { requiredText } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { checkTimeZone } from '../values/dateTime';
import { checkHeaderText } from '../values/text';
import { type Network, isSuccess } from '../transport/response';
import { readNodeCall } from './runCredentials';
import { askForToken, tokenRefusal } from './tokenRequest';
import { createTokenCache, type IssuedToken } from './tokenCache';

/** A request header with this value tells the credential that the call takes no `system` header. */
export const WITHOUT_SYSTEM = '-';

const SCOPE = 'publicAPI';
/** A token is replaced this long before the service drops it, or after nine tenths of a shorter life. */
const MARGIN_MS = 30_000;

const tokenCache = createTokenCache();

interface BookingAccount {
	authUrl: string;
	clientId: string;
	clientSecret: string;
	network?: Network;
}

/**
 * The token for an account, from this process's cache or by one form request.
 *
 * @param credentials the decrypted `hospitalityBookingApi`; `accessToken` is the token that is no longer wanted
 * @throws InvalidValueError for a field that is empty or malformed, TokenError when the service refuses the account
 * @see contract/openapi.yaml token.issue
 */
export async function bookingToken(
	http: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<IssuedToken> {
	normalizeServiceUrl(credentials.baseUrl, 'Base URL');
	const authUrl = normalizeServiceUrl(credentials.authUrl, 'Token URL Base');
	const clientId = requiredText(credentials.clientId, 'Client ID');
	const clientSecret = requiredText(credentials.clientSecret, 'Client Secret');
	systemOf(credentials);
	checkTimeZone(credentials.timeZone);
	const { network, refusedCallSentAt } = readNodeCall(credentials) ?? {};
	return await tokenCache({
		account: [authUrl, clientId, clientSecret],
		rejected: typeof credentials.accessToken === 'string' ? credentials.accessToken : '',
		refusedCallSentAt,
		now: () => Date.now(),
		issue: async () => await requestToken(http, { authUrl, clientId, clientSecret, network }),
	});
}

/**
 * Completes a request: address, bearer token and `system` header.
 *
 * @param options relative to the service; a `system` header that is already there wins
 */
export function authenticateBookingRequest(
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions,
): IHttpRequestOptions {
	const headers: IDataObject = {
		...options.headers,
		Authorization: `Bearer ${String(credentials.accessToken)}`,
	};
	if (headers.system === WITHOUT_SYSTEM) delete headers.system;
	else headers.system ??= systemOf(credentials);
	const url = options.url.startsWith('/')
		? normalizeServiceUrl(credentials.baseUrl, 'Base URL') + options.url
		: options.url;
	return { ...options, url, headers };
}

function systemOf(credentials: ICredentialDataDecryptedObject): string {
	const system = requiredText(credentials.system, 'System');
	checkHeaderText(system, 'System');
	return system;
}

/** @see contract/openapi.yaml token.issue */
async function requestToken(http: IHttpRequestHelper, account: BookingAccount): Promise<IssuedToken> {
	const { authUrl, clientId, clientSecret, network } = account;
	const form = {
		grant_type: 'client_credentials',
		client_id: clientId,
		client_secret: clientSecret,
		scope: SCOPE,
	};
	const secrets = [clientSecret];
	const response = await askForToken(http, {
		addressField: 'Token URL Base',
		url: `${authUrl}/connect/token`,
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
