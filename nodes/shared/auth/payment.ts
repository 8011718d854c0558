import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';
import isPlainObject from 'lodash/isPlainObject';

import type { TokenRequestWords } from '../errors/failure';
import { normalizeAddress } from '../values/address';
import { asText } from '../values/asText';
import { InvalidValueError, requiredText } from '../values/invalidValue';
import { checkHeaderName } from '../values/text';
import { type GivenRequest, type SignIn, headerOf, withHeaders } from './signing';
import { RESERVED_HEADERS, ignoresSslIssues } from './deployment';
import { type IssuedToken, accountKey, headerToken, requestToken } from './token';

/** The API states no expiry: a token is used until the service rejects it. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The one call without a token: it requests one. */
const AUTHENTICATION = '/authentication';

/**
 * @returns the customer: the ID without the blanks around it, the password as it stands
 * @throws InvalidValueError for one that is empty
 */
export function readCustomer(customerId: unknown, password: unknown, hint?: string) {
	const CustomerId = requiredText(customerId, 'Customer ID', hint);
	requiredText(password, 'Password', hint);
	return { CustomerId, Password: password as string };
}

/** Whatever it says, a 400 rejects the customer: the request has nothing else in it. */
const ANY_TEXT = /^/;
const TOKEN_WORDS: TokenRequestWords = {
	addressField: 'Payment URL',
	rejected: [
		"The payment service rejected 'Customer ID' or 'Password'",
		'Check both in the credential',
	],
	notAllowed: [
		"The payment service does not allow 'Customer ID' to sign in",
		'Ask whoever runs the payment service for access',
	],
	none: [
		"No session came from 'Payment URL'",
		"Check 'Payment URL' in the credential: sessions are requested from its /authentication",
	],
};

/** A customer with a session: its token, and the headers Location, Date and Digest. */
export const paymentAuth: SignIn = {
	addressField: 'Payment URL',
	readAccount: (credentials) => {
		const address = normalizeAddress(credentials.payUrl, 'Payment URL');
		const customer = readCustomer(credentials.customerId, credentials.password);
		const secrets = [customer.Password];
		const call = {
			path: AUTHENTICATION,
			body: customer,
			secrets,
			skipSslCertificateValidation: ignoresSslIssues(credentials),
		};
		const body = JSON.stringify(customer);
		return {
			key: accountKey('hospitalityPaymentApi', address, customer.CustomerId, customer.Password),
			address,
			secrets,
			// See contract/openapi.yaml customer.authenticate.
			requestToken: async (send) =>
				await requestToken(send, {
					address,
					call: { ...call, headers: signature(address, AUTHENTICATION, body) },
					read: readToken,
					rejectedBy: ANY_TEXT,
					words: TOKEN_WORDS,
				}),
		};
	},
	sign: (request, credentials, { account, url, token }) => {
		const behindAddress = url.slice(account.address.length);
		const path = new URL(`http://path${behindAddress}`).pathname;
		// Digest covers the bytes that are sent, so the body becomes bytes here.
		const body = bodyOf(request);
		const headers: IDataObject = signature(account.address, path, body);
		const takesToken = path !== AUTHENTICATION && token !== undefined;
		const carrier = takesToken ? tokenHeader(credentials) : undefined;
		if (carrier !== undefined) {
			const isBare = credentials.carriedAs === 'header';
			headers[carrier] = isBare ? token : `Bearer ${token}`;
		}
		if (body.length === 0) return withHeaders(request, headers);
		const contentType = headerOf(request, 'content-type') ?? 'application/json';
		headers['Content-Type'] = asText(contentType);
		return { ...withHeaders(request, headers), body };
	},
};

/**
 * @returns the name of the header that carries the token, undefined for none
 * @throws InvalidValueError for a Header Name that is none, or that of a header in use
 */
export function tokenHeader(credentials: ICredentialDataDecryptedObject): string | undefined {
	if (credentials.carriedAs === 'none') return undefined;
	if (credentials.carriedAs !== 'header') return 'Authorization';
	const name = requiredText(credentials.headerName, 'Header Name');
	checkHeaderName(name, 'Header Name');
	if (!RESERVED_HEADERS.test(name.toLowerCase())) return name;
	const hint = 'Enter the name of another header';
	throw new InvalidValueError('Header Name', `is '${name}', which cannot be set here`, hint);
}

/** @returns the body as the bytes to send: n8n's helpers change a text */
function bodyOf({ body, form, formData }: GivenRequest): Buffer {
	if (form === undefined && formData === undefined) {
		if (body === undefined || body === null) return Buffer.alloc(0);
		if (typeof body === 'string') return Buffer.from(body);
		if (Buffer.isBuffer(body)) return body;
		if (isPlainObject(body) || Array.isArray(body)) return Buffer.from(JSON.stringify(body));
	}
	throw new InvalidValueError(
		'Body',
		'cannot be covered by the Digest header, so nothing was sent',
		"Send the body as 'JSON' or 'Raw'",
	);
}

function signature(address: string, path: string, body: string | Buffer): Record<string, string> {
	return {
		Location: `${address}/v1${path}`,
		Date: new Date().toUTCString(),
		Digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
	};
}

function readToken(body: Record<string, unknown>): IssuedToken | undefined {
	if (body.IsAuthenticated === false) return undefined;
	const token = headerToken(body.AuthenticationToken);
	return token === undefined ? undefined : { token, endsAt: NEVER };
}
