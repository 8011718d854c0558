import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { ExplainedError } from '../errors/explainedError';
import { failureWords } from '../errors/words';
import { InvalidValueError } from '../values/invalidValue';
import { type Account, type IssuedToken, doubt, isReplaced, tokenFor } from './tokens';

/** A request as n8n's helpers hand it to `authenticate`; the older one has `uri`, `form` and `formData`. */
export type GivenRequest = IHttpRequestOptions & {
	uri?: string;
	form?: unknown;
	formData?: unknown;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/** How accounts of one credential type sign in. */
export interface SignIn {
	addressField: string;
	/** @throws InvalidValueError for a field of the credential that is empty or malformed */
	readAccount(credentials: ICredentialDataDecryptedObject): Account;
	/**
	 * @param request with its whole address
	 * @param token to put on it, undefined for a call that takes none; throws StaleTokenError where the stored one is not to
	 * be used any more
	 * @returns the request with what the account adds to it
	 */
	sign(
		request: GivenRequest,
		credentials: ICredentialDataDecryptedObject,
		of: { account: Account; url: string; token(): string | undefined },
	): GivenRequest;
}

/** Nothing was sent: n8n reads the status as an expired token and requests another one. */
class StaleTokenError extends Error {
	readonly response = { status: 401 };
}

/**
 * `authenticate` of both credentials: returns the request with its full address and what the account adds.
 * Redirects are not followed: they could lead to another origin.
 *
 * @throws InvalidValueError for a request to another origin, which must not get the token
 */
export function authenticate(
	signIn: SignIn,
	credentials: ICredentialDataDecryptedObject,
	given: GivenRequest,
): IHttpRequestOptions {
	const account = accountOf.get(credentials) ?? signIn.readAccount(credentials);
	const whole = requestAddress(given, account.address, signIn.addressField);
	const { uri, url, baseURL: _, ...options } = given;
	const request = {
		...options,
		...(uri === undefined ? {} : { uri: whole }),
		...(url === undefined && uri !== undefined ? {} : { url: whole }),
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	} as GivenRequest;
	const token = () => heldToken(credentials, account);
	return signIn.sign(request, credentials, { account, url: whole, token });
}

/**
 * `preAuthentication` of both credentials: returns what n8n stores. n8n calls it when there is no token, and after any
 * failure of a call.
 *
 * @returns nothing for a call that was sent, which n8n would repeat, a change too; the next one has another token. Nor for
 * one of this package's nodes, which see to their tokens themselves.
 */
export async function renewSession(
	signIn: SignIn,
	http: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<ICredentialDataDecryptedObject> {
	const { sessionState, accessToken } = credentials;
	if (sessionState === undefined) return {};
	const account = signIn.readAccount(credentials);
	if (sessionState !== '') {
		doubt(account.key, String(accessToken));
		return {};
	}
	const issued = await tokenFor(http.helpers.httpRequest, account);
	if ('kind' in issued) throw new ExplainedError(...failureWords(issued, {}));
	const { token, endsAt } = issued;
	const expiresAt = String(Date.now() + endsAt - performance.now());
	return { sessionState: 'valid', accessToken: token, issuedFor: account.key, expiresAt };
}

/** Accounts of the credentials that {@link withToken} made: reading one again would cost more than the rest of a call. */
const accountOf = new WeakMap<ICredentialDataDecryptedObject, Account>();

/**
 * A credential with the token of one call of this package's nodes. It has no session that n8n could renew.
 *
 * @param account as read off the credential
 * @param issued undefined for a call without a token
 * @param system the `system` header of the call: another one than the credential's, or false for none
 */
export function withToken(
	account: Account,
	credentials: ICredentialDataDecryptedObject,
	issued?: IssuedToken,
	system?: string | false,
): ICredentialDataDecryptedObject {
	const { sessionState: _, accessToken: __, system: usual, ...rest } = credentials;
	const data = {
		...rest,
		...(system === false ? {} : { system: system ?? usual }),
		...(issued ? { accessToken: issued.token } : {}),
	};
	accountOf.set(data, account);
	return data;
}

/** @returns a request with headers replaced by name, regardless of case */
export function withHeaders(request: GivenRequest, headers: IDataObject): GivenRequest {
	const replaced = Object.keys(headers).map((name) => name.toLowerCase());
	const others = Object.entries(request.headers ?? {}).filter(
		([name]) => !replaced.includes(name.toLowerCase()),
	);
	return { ...request, headers: { ...Object.fromEntries(others), ...headers } };
}

/** @returns a header's value, whatever the case of its name */
export function headerOf({ headers = {} }: GivenRequest, name: string): unknown {
	return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}

/** @returns the token of a call of this package's nodes, which was issued for it, or the one that n8n has stored */
function heldToken(credentials: ICredentialDataDecryptedObject, { key }: Account): string | undefined {
	if (!('accessToken' in credentials)) return undefined;
	const { sessionState, issuedFor, expiresAt } = credentials;
	const token = String(credentials.accessToken);
	const isCurrent = issuedFor === key && Number(expiresAt) > Date.now() && !isReplaced(key, token);
	if (sessionState === undefined || (token !== '' && isCurrent)) return token;
	// So `renewSession` knows that nothing was sent: n8n hands it this very object.
	credentials.sessionState = '';
	throw new StaleTokenError('The stored token is out of date');
}

/** @returns the full address of a request; a relative one is appended to the credential's */
function requestAddress({ url, uri = '', baseURL }: GivenRequest, address: string, label: string): string {
	// If both are given, n8n's older helper uses `url`.
	const asked = url ?? uri;
	const isWhole = /^[a-z][a-z\d+.-]*:/i.test(asked);
	const whole = isWhole ? asked : `${baseURL ?? address}/${asked.replace(/^\/+/, '')}`;
	// The same origin, whatever follows: this is how this package's nodes call.
	if (whole.startsWith(`${address}/`)) return whole;
	const { origin } = new URL(address);
	if (URL.canParse(whole) && new URL(whole).origin === origin) return whole;
	throw new InvalidValueError(
		'URL',
		`does not lead to '${label}' of the credential, so nothing was sent`,
		`Enter an address that begins with ${origin}, or change '${label}' in the credential`,
	);
}
