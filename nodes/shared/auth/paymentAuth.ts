import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { createHash } from 'crypto';
import isPlainObject from 'lodash/isPlainObject';

import { type Network, isSuccess } from '../transport/response';
import { normalizeAddress } from '../values/address';
import { InvalidValueError, requiredSecret, requiredText } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { checkHeaderName } from '../values/text';
import { type GivenRequest, completeRequest, headerOf, requestAddress } from './authorizedRequest';
import { heldToken } from './session';
import { askForToken, tokenRefusal } from './tokenRequest';
import { type IssuedToken, accountKey, readOnce } from './tokens';

/** The token has no stated end, so it is used until the service refuses it. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The one call that needs no token: it makes one. */
const AUTHENTICATION = '/authentication';

const FORM = 'application/x-www-form-urlencoded';

/** A customer as the service takes it. */
export interface PaymentCustomer {
	CustomerId: string;
	Password: string;
}

/**
 * @returns the customer: the ID without the blanks around it, the password as it stands
 * @throws InvalidValueError for one that is empty
 */
export function readCustomer(customerId: unknown, password: unknown, hint?: string): PaymentCustomer {
	return {
		CustomerId: requiredText(customerId, 'Customer ID', hint),
		Password: requiredSecret(password, 'Password', hint),
	};
}

/** @throws InvalidValueError for a field of the credential that is empty or malformed */
export const paymentAccount = readOnce((credentials) => {
	const address = normalizeAddress(credentials.payUrl, 'Payment URL');
	const customer = readCustomer(credentials.customerId, credentials.password);
	return {
		key: accountKey('hospitalityPaymentApi', address, customer.CustomerId, customer.Password),
		address,
		secrets: [customer.Password],
		requestToken: async (http, network) => await authenticate(http, address, customer, network),
	};
});

/**
 * Completes a request: address, token, and the headers Location, Date and Digest. Digest covers the bytes that are sent,
 * so the body becomes bytes here.
 *
 * @throws InvalidValueError for a body whose bytes are not known yet
 */
export function authenticatePaymentRequest(
	credentials: ICredentialDataDecryptedObject,
	options: GivenRequest,
): IHttpRequestOptions {
	const account = paymentAccount(credentials);
	const url = requestAddress(options, account.address, 'Payment URL');
	const path = url.startsWith(`${account.address}/`)
		? new URL(`http://path${url.slice(account.address.length)}`).pathname
		: new URL(url).pathname;
	const token = path === AUTHENTICATION ? undefined : heldToken(credentials, account);
	const { body, contentType } = bodyOf(options);
	const headers: IDataObject = {
		...(token === undefined ? {} : tokenHeader(credentials, token)),
		...(body === undefined ? {} : { 'Content-Type': contentType }),
		...signature(account.address, path, body ?? ''),
	};
	const { form: _, ...request } = completeRequest(options, url, headers);
	return body === undefined ? request : { ...request, body };
}

/** @throws InvalidValueError for a Header Name that is none */
export function checkTokenHeader({ carriedAs, headerName }: ICredentialDataDecryptedObject): void {
	if (carriedAs === 'header') checkHeaderName(requiredText(headerName, 'Header Name'), 'Header Name');
}

interface Body {
	body?: string | Buffer;
	contentType: string;
}

/** The body as the bytes to send. n8n's helpers change a text, except that of a form. */
function bodyOf(options: GivenRequest): Body {
	const { body, form, formData } = options;
	const contentType = String(headerOf(options, 'content-type') ?? (form ? FORM : 'application/json'));
	const given = form ?? body;
	if (formData === undefined) {
		if (given === undefined || given === null || given === '') return { contentType };
		if (Buffer.isBuffer(given)) return { body: given, contentType };
		if (contentType.startsWith(FORM)) return { body: formText(given), contentType };
		if (typeof given === 'string') return { body: Buffer.from(given), contentType };
		if (isPlainObject(given) || Array.isArray(given))
			return { body: Buffer.from(JSON.stringify(given)), contentType };
	}
	throw new InvalidValueError(
		'Body',
		'is of a kind that the Digest header cannot cover, so nothing was sent',
		"Send the body as 'JSON' or 'Raw'",
	);
}

function formText(given: unknown): string {
	if (typeof given === 'string') return given;
	return new URLSearchParams(given as Record<string, string>).toString();
}

/** Location, Date and Digest. */
function signature(address: string, path: string, body: string | Buffer): IDataObject {
	return {
		Location: `${address}/v1${path}`,
		Date: new Date().toUTCString(),
		Digest: `SHA-256=${createHash('sha256').update(body).digest('base64')}`,
	};
}

function tokenHeader(credentials: ICredentialDataDecryptedObject, token: string): IDataObject {
	const { carriedAs, headerName } = credentials;
	if (carriedAs === 'none') return {};
	checkTokenHeader(credentials);
	if (carriedAs === 'header') return { [requiredText(headerName, 'Header Name')]: token };
	return { Authorization: `Bearer ${token}` };
}

/** @see contract/openapi.yaml customer.authenticate */
async function authenticate(
	http: IHttpRequestHelper,
	address: string,
	customer: PaymentCustomer,
	network?: Network,
): Promise<IssuedToken> {
	const body = JSON.stringify(customer);
	const secrets = [customer.Password];
	const response = await askForToken(http, {
		addressField: 'Payment URL',
		address,
		path: AUTHENTICATION,
		headers: { 'Content-Type': 'application/json', ...signature(address, AUTHENTICATION, body) },
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
