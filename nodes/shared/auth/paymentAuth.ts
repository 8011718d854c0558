import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { createHash } from 'crypto';
import isPlainObject from 'lodash/isPlainObject';

import { normalizeAddress } from '../values/address';
import { InvalidValueError, requiredText } from '../values/invalidValue';
import { checkHeaderName } from '../values/text';
import { type GivenRequest, type SignIn, headerOf, withHeaders } from './authenticate';
import { isReserved, readDeployment } from './deployment';
import { headerToken, requestToken } from './tokenRequest';
import { type IssuedToken, accountKey } from './tokens';

/** The API states no expiry: a token is used until the service rejects it. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The one call without a token: it requests one. */
const AUTHENTICATION = '/authentication';

const FORM = 'application/x-www-form-urlencoded';

export interface PaymentCustomer {
	CustomerId: string;
	Password: string;
}

/**
 * @returns the customer: the ID without the blanks around it, the password as it stands
 * @throws InvalidValueError for one that is empty
 */
export function readCustomer(customerId: unknown, password: unknown, hint?: string): PaymentCustomer {
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
		// See contract/openapi.yaml customer.authenticate.
		const tokenRequest = {
			addressField: 'Payment URL',
			address,
			path: AUTHENTICATION,
			body: customer,
			secrets,
			read: readToken,
			refusedBy: /^/,
			refused: ["The payment service rejected 'Customer ID' or 'Password'", 'Check both in the credential'],
			none: [
				"No session came from 'Payment URL'",
				"Check 'Payment URL' in the credential: sessions are requested from its /authentication",
			],
		} as const;
		return {
			key: accountKey('hospitalityPaymentApi', address, customer.CustomerId, customer.Password),
			address,
			secrets,
			requestToken: async (send) => {
				const headers = signature(address, AUTHENTICATION, JSON.stringify(customer));
				return await requestToken(send, { ...tokenRequest, headers }, readDeployment(credentials));
			},
		};
	},
	// Digest covers the bytes that are sent, so the body becomes bytes here.
	sign: (request, credentials, { account: { address }, url, token }) => {
		const path = url.startsWith(`${address}/`)
			? new URL(`http://path${url.slice(address.length)}`).pathname
			: new URL(url).pathname;
		const { body, contentType } = bodyOf(request);
		const { form: _, ...signed } = withHeaders(request, {
			...(path === AUTHENTICATION ? {} : tokenHeader(credentials, token())),
			...(body === undefined ? {} : { 'Content-Type': contentType }),
			...signature(address, path, body ?? ''),
		});
		return body === undefined ? signed : { ...signed, body };
	},
};

/** @throws InvalidValueError for a Header Name that is none, or that of a header in use */
export function checkTokenHeader({ carriedAs, headerName }: ICredentialDataDecryptedObject): void {
	if (carriedAs !== 'header') return;
	const name = requiredText(headerName, 'Header Name');
	checkHeaderName(name, 'Header Name');
	if (!isReserved(name.toLowerCase())) return;
	const hint = 'Enter the name of another header';
	throw new InvalidValueError('Header Name', `is '${name}', which cannot be set here`, hint);
}

/** The body as the bytes to send, or InvalidValueError. n8n's helpers change a text, except that of a form. */
function bodyOf(options: GivenRequest): { body?: string | Buffer; contentType: string } {
	const { body, form, formData } = options;
	const contentType = String(headerOf(options, 'content-type') ?? (form ? FORM : 'application/json'));
	const given = form ?? body;
	if (formData === undefined) {
		if (given === undefined || given === null || given === '') return { contentType };
		if (Buffer.isBuffer(given)) return { body: given, contentType };
		const isText = typeof given === 'string';
		if (contentType.startsWith(FORM)) {
			const fields = isText ? given : new URLSearchParams(given as Record<string, string>).toString();
			return { body: fields, contentType };
		}
		if (isText) return { body: Buffer.from(given), contentType };
		if (isPlainObject(given) || Array.isArray(given))
			return { body: Buffer.from(JSON.stringify(given)), contentType };
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

function tokenHeader(credentials: ICredentialDataDecryptedObject, token?: string): IDataObject {
	const { carriedAs, headerName } = credentials;
	if (token === undefined || carriedAs === 'none') return {};
	checkTokenHeader(credentials);
	if (carriedAs === 'header') return { [requiredText(headerName, 'Header Name')]: token };
	return { Authorization: `Bearer ${token}` };
}

function readToken({
	AuthenticationToken: issued,
	IsAuthenticated,
}: Record<string, unknown>): IssuedToken | undefined {
	const token = IsAuthenticated === false ? undefined : headerToken(issued);
	return token === undefined ? undefined : { token, endsAt: NEVER };
}
