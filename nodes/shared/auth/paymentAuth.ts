import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { createHash } from 'crypto';

import { normalizeServiceUrl } from '../values/address';
import { type Network, isSuccess } from '../transport/response';
import { requiredSecret, requiredText } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { readNodeCall } from './runCredentials';
import { askForToken, tokenRefusal } from './tokenRequest';
import { createTokenCache, type IssuedToken } from './tokenCache';

/** The token has no stated end, so it is used until the service refuses it. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The one call that needs no token: it makes one. */
const AUTHENTICATION = '/authentication';

const tokenCache = createTokenCache();

interface PaymentAccount {
	payUrl: string;
	customerId: string;
	password: string;
	network?: Network;
}

/**
 * The AuthenticationToken for an account, from this process's cache or by one call.
 *
 * @param credentials the decrypted `hospitalityPaymentApi`
 * @throws InvalidValueError for an empty or malformed field, TokenError when the service refuses the account
 * @see contract/openapi.yaml customer.authenticate
 */
export async function paymentToken(
	http: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<IssuedToken> {
	const payUrl = normalizeServiceUrl(credentials.payUrl, 'Payment URL');
	const customerId = requiredText(credentials.customerId, 'Customer ID');
	const password = requiredSecret(credentials.password, 'Password');
	const { network, refusedToken, refusedCallSentAt } = readNodeCall(credentials) ?? {};
	return await tokenCache({
		account: [payUrl, customerId, password],
		rejected: refusedToken ?? String(credentials.authenticationToken ?? ''),
		refusedCallSentAt,
		now: () => Date.now(),
		issue: async () => await authenticate(http, { payUrl, customerId, password, network }),
	});
}

/**
 * n8n's older request helper takes everything that goes wrong for a session that has expired, such as a connection that
 * was refused. Of this package's nodes only a 401 means that, and they say so.
 */
export function isTokenWanted(credentials: ICredentialDataDecryptedObject): boolean {
	return readNodeCall(credentials) === undefined || credentials.authenticationToken === '';
}

/**
 * Completes a request: address, token, and the headers Location, Date and Digest.
 *
 * @param options `url` or, for the older helper, `uri`: a path of the payment service, or a whole address of it after a
 * redirect; the body is text
 */
export function authenticatePaymentRequest(
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions & { uri?: string },
): IHttpRequestOptions {
	const payUrl = normalizeServiceUrl(credentials.payUrl, 'Payment URL');
	const asked = options.uri ?? options.url;
	const url = asked.startsWith('/') ? payUrl + asked : asked;
	const path = url.startsWith(payUrl) ? url.slice(payUrl.length) : new URL(url).pathname;
	const token = path === AUTHENTICATION ? {} : tokenHeader(credentials);
	if (isRecord(options.body)) options.body = JSON.stringify(options.body);
	Object.assign((options.headers ??= {}), token, signature(payUrl, path, options.body));
	if (options.uri === undefined) options.url = url;
	else options.uri = url;
	return options;
}

/** Location, Date and Digest: the digest is over the exact bytes of the body as sent. */
function signature(payUrl: string, path: string, body: unknown): IDataObject {
	const bytes = typeof body === 'string' ? body : '';
	return {
		Location: `${payUrl}/v1${path}`,
		Date: new Date().toUTCString(),
		Digest: `SHA-256=${createHash('sha256').update(bytes, 'utf8').digest('base64')}`,
	};
}

function tokenHeader({
	carriedAs,
	headerName,
	authenticationToken,
}: ICredentialDataDecryptedObject): IDataObject {
	const token = typeof authenticationToken === 'string' ? authenticationToken : '';
	if (carriedAs === 'none' || token === '') return {};
	if (carriedAs === 'header') return { [requiredText(headerName, 'Header Name')]: token };
	return { Authorization: `Bearer ${token}` };
}

/** @see contract/openapi.yaml customer.authenticate */
async function authenticate(http: IHttpRequestHelper, account: PaymentAccount): Promise<IssuedToken> {
	const { payUrl, customerId, password, network } = account;
	const body = JSON.stringify({ CustomerId: customerId, Password: password });
	const secrets = [password];
	const response = await askForToken(http, {
		addressField: 'Payment URL',
		url: payUrl + AUTHENTICATION,
		headers: { 'Content-Type': 'application/json', ...signature(payUrl, AUTHENTICATION, body) },
		body,
		network,
		secrets,
	});

	const { AuthenticationToken: token, IsAuthenticated: isAuthenticated } = isRecord(response.body)
		? response.body
		: {};
	const hasToken = isAuthenticated !== false && typeof token === 'string' && token !== '';
	if (isSuccess(response.status) && hasToken) return { token, expiresAt: NEVER };
	const words = {
		refused: "The payment service refused 'Customer ID' and 'Password'",
		refusedHint: 'Check both in the credential',
		none: "No session came from 'Payment URL'",
		noneHint: "Check 'Payment URL' in the credential: the session is asked for at its /authentication",
	};
	throw tokenRefusal(response, secrets, words, isAuthenticated === false || undefined);
}
