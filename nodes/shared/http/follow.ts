import type {
	IAdditionalCredentialOptions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import {
	type CallingContext,
	type CredentialName,
	callWithCredentials,
	secretsOf,
} from '../auth/runCredentials';
import { createMask } from '../errors/secrets';
import {
	MAX_REDIRECTS,
	RedirectError,
	isRedirect,
	redirectTarget,
	shownAddress,
} from '../transport/redirect';
import { type RawResponse, discard } from '../transport/response';
import { normalizeServiceUrl } from '../values/address';
import { sendGetWithBody } from './getWithBody';
import { type ServiceRequest, helperOptions } from './serviceRequest';

const ADDRESS_FIELDS = { hospitalityBookingApi: 'baseUrl', hospitalityPaymentApi: 'payUrl' } as const;

interface Followed {
	raw: RawResponse;
	credentials: ICredentialDataDecryptedObject;
}

/**
 * Follows redirects of a GET within the service's own origin: elsewhere the token and the `system` header have no
 * business, and n8n's helpers would turn a call that changes something into a GET.
 */
export async function follow(context: CallingContext, request: ServiceRequest): Promise<Followed> {
	let options = helperOptions(request);
	for (let redirects = 0; ; redirects++) {
		const { response: raw, credentials } = await authorized(context, request, options);
		if (!isRedirect(raw.statusCode)) return { raw, credentials };
		discard(raw);
		const base = normalizeServiceUrl(credentials[ADDRESS_FIELDS[request.credential]], 'Base URL');
		const from = options.url.startsWith('/') ? base + options.url : options.url;
		const target = redirectTarget(raw.headers.location, from);
		const isOwn = target?.origin === new URL(base).origin;
		if (!target || !isOwn || request.method !== 'GET' || redirects === MAX_REDIRECTS) {
			const mask = createMask(secretsOf(credentials));
			throw new RedirectError(raw.statusCode, shownAddress(target, mask));
		}
		options = { ...options, url: target.href, qs: {} };
	}
}

async function authorized(
	context: CallingContext,
	{ credential, network = {}, takesToken }: ServiceRequest,
	options: IHttpRequestOptions,
): Promise<{ response: RawResponse; credentials: ICredentialDataDecryptedObject }> {
	const call = async (using: IAdditionalCredentialOptions) =>
		await callHelper(context, credential, options, using);
	return await callWithCredentials(context, credential, { network, takesToken: takesToken ?? true }, call);
}

async function callHelper(
	context: CallingContext,
	credential: CredentialName,
	options: IHttpRequestOptions,
	using: IAdditionalCredentialOptions,
): Promise<RawResponse> {
	if (options.method === 'GET' && options.body !== undefined)
		return await sendGetWithBody(context, credential, options, using);
	const { httpRequestWithAuthentication } = context.helpers;
	const copy = { ...options, headers: { ...options.headers } };
	return (await httpRequestWithAuthentication.call(context, credential, copy, using)) as RawResponse;
}
