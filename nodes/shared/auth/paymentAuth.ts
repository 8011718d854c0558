import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { createHash } from 'crypto';

import { normalizeServiceUrl } from '../values/address';
import { requiredText } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { askForToken } from './tokenRequest';
import { createTokenCache, tokenRefusal, type IssuedToken } from './tokenCache';

/** A session has no stated end, so it is used until the service refuses it. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The one call that needs no session: it makes one. */
const AUTHENTICATION = '/authentication';

const sharedSession = createTokenCache();

/**
 * The AuthenticationToken for an account, from this process's cache or by one call (second document, 'Authenticate a
 * customer').
 *
 * @param credentials the decrypted `hospitalityPaymentApi`; `authenticationToken` is the one no longer wanted
 * @throws InvalidValueError for an empty or malformed field, TokenError when the service refuses the account
 */
export async function paymentToken(
	http: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<IssuedToken> {
	const payUrl = normalizeServiceUrl(credentials.payUrl, 'Payment URL');
	const customerId = requiredText(credentials.customerId, 'Customer ID');
	const password = requiredText(credentials.password, 'Password');
	return await sharedSession({
		account: [payUrl, customerId, password],
		rejected: typeof credentials.authenticationToken === 'string' ? credentials.authenticationToken : '',
		now: () => Date.now(),
		issue: async () => await authenticate(http, payUrl, customerId, password),
	});
}

/**
 * Completes a request: address, session, and the headers of the second document's examples (Location, Date, Digest).
 *
 * @param options `url` or, for the older helper, `uri`, relative to the payment service; the body is text.
 * `refused` holds the headers of a call that the service has refused: their session is not sent again.
 * @throws Error when the session is the refused one, upon which n8n asks for another one
 */
export function authenticatePaymentRequest(
	credentials: ICredentialDataDecryptedObject,
	options: IHttpRequestOptions & { uri?: string; refused?: IDataObject },
): IHttpRequestOptions {
	const payUrl = normalizeServiceUrl(credentials.payUrl, 'Payment URL');
	const path = (options.uri ?? options.url).replace(payUrl, '');
	const session = path === AUTHENTICATION ? {} : sessionHeader(credentials);
	const isRefused = ([name, value]: [string, unknown]) => options.refused?.[name] === value;
	if (Object.entries(session).some(isRefused)) throw new Error('The session was refused');
	if (isRecord(options.body)) options.body = JSON.stringify(options.body);
	Object.assign((options.headers ??= {}), session, signature(payUrl, path, options.body));
	if (options.uri === undefined) options.url = payUrl + path;
	else options.uri = payUrl + path;
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

function sessionHeader({
	carriedAs,
	headerName,
	authenticationToken,
}: ICredentialDataDecryptedObject): IDataObject {
	const token = typeof authenticationToken === 'string' ? authenticationToken : '';
	if (carriedAs === 'none' || token === '') return {};
	if (carriedAs === 'header') return { [requiredText(headerName, 'Header Name')]: token };
	return { Authorization: `Bearer ${token}` };
}

async function authenticate(
	http: IHttpRequestHelper,
	payUrl: string,
	customerId: string,
	password: string,
): Promise<IssuedToken> {
	const body = JSON.stringify({ CustomerId: customerId, Password: password });
	const answer = await askForToken(http, 'Payment URL', {
		method: 'POST',
		url: payUrl + AUTHENTICATION,
		headers: {
			'Content-Type': 'application/json',
			Accept: 'application/json',
			...signature(payUrl, AUTHENTICATION, body),
		},
		body,
	});

	const { AuthenticationToken: token, IsAuthenticated: isAuthenticated } = isRecord(answer.body)
		? answer.body
		: {};
	if (answer.statusCode < 300 && isAuthenticated !== false && typeof token === 'string' && token !== '') {
		return { token, expiresAt: NEVER };
	}
	const words = {
		refused: "The payment service refused 'Customer ID' and 'Password'",
		refusedHint: 'Check both in the credential',
		none: "No session came from 'Payment URL'",
		noneHint: "Check 'Payment URL' in the credential: the session is asked for at its /authentication",
	};
	throw tokenRefusal(answer, [password], words, isAuthenticated === false || undefined);
}
