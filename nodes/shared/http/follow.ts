import type { IAdditionalCredentialOptions, IHttpRequestOptions } from 'n8n-workflow';

import {
	type AuthorizedResponse,
	type CallingContext,
	type CredentialName,
	callAuthorized,
} from '../auth/authorizedCall';
import { createMask } from '../errors/secrets';
import {
	MAX_REDIRECTS,
	RedirectError,
	isRedirect,
	redirectTarget,
	shownAddress,
} from '../transport/redirect';
import { type RawResponse, discard } from '../transport/response';
import { sendGetWithBody } from './getWithBody';
import { type ServiceRequest, helperOptions } from './serviceRequest';

/**
 * Follows redirects of a GET within the service's own origin: elsewhere the token and the `system` header have no
 * business, and n8n's helpers would turn a call that changes something into a GET.
 */
export async function follow(context: CallingContext, request: ServiceRequest): Promise<AuthorizedResponse> {
	let options = helperOptions(request);
	for (let redirects = 0; ; redirects++) {
		const authorized = await callAuthorized(
			context,
			request,
			async (using) => await callHelper(context, request.credential, options, using),
		);
		const { response, address, secrets } = authorized;
		if (!isRedirect(response.statusCode)) return authorized;
		discard(response);
		const from = options.url.startsWith('/') ? address + options.url : options.url;
		const target = redirectTarget(response.headers.location, from);
		const isOwn = target?.origin === new URL(address).origin;
		if (!target || !isOwn || request.method !== 'GET' || redirects === MAX_REDIRECTS)
			throw new RedirectError(response.statusCode, shownAddress(target, createMask(secrets)));
		options = { ...options, url: target.href, qs: {} };
	}
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
