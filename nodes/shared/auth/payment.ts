import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createHash } from 'crypto';
import isPlainObject from 'lodash/isPlainObject';

import { normalizeAddress } from '../values/address';
import { InvalidValueError, requiredText } from '../values/invalidValue';
import { checkHeaderName } from '../values/text';
import { type GivenRequest, type SignIn, headerOf, withHeaders } from './signing';
import { RESERVED, ignoresSslIssues } from './deployment';
import { headerToken, requestToken } from './tokenRequest';
import { type IssuedToken, accountKey } from './tokens';

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

/** A customer with a session: its token, and the headers Location, Date and Digest. */
export const paymentAuth: SignIn = {
	addressField: 'Payment URL',
	readAccount: (credentials) => {
		const address = normalizeAddress(credentials.payUrl, 'Payment URL');
		const customer = readCustomer(credentials.customerId, credentials.password);
		const secrets = [customer.Password];
		return {
			key: accountKey('hospitalityPaymentApi', address, customer.CustomerId, customer.Password),
			address,
			secrets,
			// See contract/openapi.yaml customer.authenticate.
			requestToken: async (send) =>
				await requestToken(send, {
					addressField: 'Payment URL',
					address,
					call: {
						...{ path: AUTHENTICATION, body: customer, secrets },
						headers: signature(address, AUTHENTICATION, JSON.stringify(customer)),
						skipSslCertificateValidation: ignoresSslIssues(credentials),
					},
					read: readToken,
					refusedBy: /^/,
					refused: [
						"The payment service rejected 'Customer ID' or 'Password'",
						'Check both in the credential',
					],
					none: [
						"No session came from 'Payment URL'",
						"Check 'Payment URL' in the credential: sessions are requested from its /authentication",
					],
				}),
		};
	},
	// Digest covers the bytes that are sent, so the body becomes bytes here.
	sign: (request, credentials, { account: { address }, url, token }) => {
		const path = new URL(`http://path${url.slice(address.length)}`).pathname;
		const body = bodyOf(request);
		const contentType = headerOf(request, 'content-type') ?? 'application/json';
		const carrier =
			path === AUTHENTICATION || token === undefined ? undefined : tokenHeader(credentials);
		const value = credentials.carriedAs === 'header' ? token : `Bearer ${token}`;
		const signed = withHeaders(request, {
			...(carrier === undefined ? {} : { [carrier]: value }),
			...(body.length === 0 ? {} : { 'Content-Type': String(contentType) }),
			...signature(address, path, body),
		});
		return body.length === 0 ? signed : { ...signed, body };
	},
};

/**
 * @returns the name of the header that carries the token, undefined for none
 * @throws InvalidValueError for a Header Name that is none, or that of a header in use
 */
export function tokenHeader({
	carriedAs,
	headerName,
}: ICredentialDataDecryptedObject): string | undefined {
	if (carriedAs !== 'header') return carriedAs === 'none' ? undefined : 'Authorization';
	const name = requiredText(headerName, 'Header Name');
	checkHeaderName(name, 'Header Name');
	if (!RESERVED.test(name.toLowerCase())) return name;
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

function readToken({
	AuthenticationToken: issued,
	IsAuthenticated,
}: Record<string, unknown>): IssuedToken | undefined {
	const token = IsAuthenticated === false ? undefined : headerToken(issued);
	return token === undefined ? undefined : { token, endsAt: NEVER };
}
