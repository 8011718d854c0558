import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';
import find from 'lodash/find';
import omitBy from 'lodash/omitBy';

import { ExplainedError } from '../errors/explainedError';
import { failureWords } from '../errors/failureTable';
import { redacted } from '../errors/secrets';
import { InvalidValueError } from '../values/invalidValue';
import { type IssuedToken, type SignedAccount, tokenFor } from './token';
import { KeySet } from '../values/keys';

/** A request as n8n's helpers hand it to `authenticate`; the older one has `uri`, `form` and `formData`. */
export type GivenRequest = IHttpRequestOptions & {
	uri?: string;
	form?: unknown;
	formData?: unknown;
};

/** How accounts of one credential type sign in. */
export interface SignIn {
	addressField: string;
	/** @throws InvalidValueError for a field of the credential that is empty or malformed */
	readAccount(credentials: ICredentialDataDecryptedObject): SignedAccount;
	/**
	 * @param url normalized, below the account's address
	 * @param token to put on it, undefined for a call that takes none
	 * @returns the request with what the account adds to it
	 */
	sign(
		request: GivenRequest,
		credentials: ICredentialDataDecryptedObject,
		of: { account: SignedAccount; url: string; token?: string },
	): GivenRequest;
}

/** The account and token of a call, by the credential that n8n hands to `authenticate`. No token is ever stored. */
const signedWith = new WeakMap<
	ICredentialDataDecryptedObject,
	{ account: SignedAccount; token?: string }
>();

/**
 * `authenticate` of both credentials: returns the request with what the account adds.
 * Redirects are not followed: they could lead to another origin.
 *
 * @throws InvalidValueError for a request to another address, which must not get the token
 */
export function authenticate(
	signIn: SignIn,
	credentials: ICredentialDataDecryptedObject,
	given: GivenRequest,
): IHttpRequestOptions {
	const known = signedWith.get(credentials);
	const account = known?.account ?? signIn.readAccount(credentials);
	const url = checkedUrl(given, account.address, signIn.addressField);
	const { baseURL: _, ...options } = given;
	const request = {
		...options,
		url,
		disableFollowRedirect: true,
		followRedirect: false,
		followAllRedirects: false,
	};
	return signIn.sign(request, credentials, { account, url, token: known?.token });
}

/**
 * @returns the address of a request, normalized
 * @throws InvalidValueError for one that is not below the account's
 */
function checkedUrl(given: GivenRequest, address: string, addressField: string): string {
	// n8n's older helper uses `url` before `uri`. A call that a description declares has a path.
	const asked = given.url ?? given.uri ?? '';
	const whole = asked.startsWith('/') ? address + asked : asked;
	const url = URL.canParse(whole) ? new URL(whole).href : '';
	if (url.startsWith(`${address}/`)) return url;
	throw new InvalidValueError(
		'URL',
		`does not lead to '${addressField}' of the credential, so nothing was sent`,
		`Enter an address that begins with ${address}/, or change '${addressField}' in the credential`,
	);
}

/**
 * `preAuthentication` of both credentials, for calls of other nodes: n8n calls it before each, and after any failure of one.
 * The token of the failed call is then replaced for those that follow.
 *
 * @returns nothing to store: n8n would repeat a call that has failed, a change too
 */
export async function renewSession(
	signIn: SignIn,
	http: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): Promise<ICredentialDataDecryptedObject> {
	// This package's nodes see to their tokens themselves.
	if (!('sessionState' in credentials)) return {};
	const account = signIn.readAccount(credentials);
	const failed = signedWith.get(credentials);
	const issued = await tokenFor(http.helpers.httpRequest, account, { refused: failed?.token });
	if ('token' in issued) {
		signedWith.set(credentials, { account, token: issued.token });
	} else if (!failed) {
		const [happened, hint] = failureWords(issued, {});
		throw new ExplainedError(redacted(happened, account.secrets), redacted(hint, account.secrets));
	}
	return {};
}

/**
 * A credential for one call of this package's nodes.
 *
 * @param account as read off the credential: reading it again would cost more than the rest of a call
 * @param issued undefined for a call without a token
 * @param system the `system` header of the call: another one than the credential's, or false for none
 */
export function withToken(
	account: SignedAccount,
	credentials: ICredentialDataDecryptedObject,
	issued?: IssuedToken,
	system?: string | false,
): ICredentialDataDecryptedObject {
	const data = { ...credentials };
	delete data.sessionState;
	if (system === false) delete data.system;
	else data.system = system ?? credentials.system ?? '';
	signedWith.set(data, { account, token: issued?.token });
	return data;
}

/** @returns a request with headers replaced by name, regardless of case */
export function withHeaders(request: GivenRequest, headers: IDataObject): GivenRequest {
	const replaced = new KeySet(Object.keys(headers).map((name) => name.toLowerCase()));
	const others = omitBy(request.headers, (_, name) => replaced.has(name.toLowerCase()));
	return { ...request, headers: { ...others, ...headers } };
}

/** @returns a header's value, whatever the case of its name */
export function headerOf(request: GivenRequest, name: string): unknown {
	return find(request.headers, (_, given) => given.toLowerCase() === name);
}
