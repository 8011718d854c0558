import type { IAdditionalCredentialOptions, IHttpRequestOptions } from 'n8n-workflow';

import {
	type AuthorizedResponse,
	type CallingContext,
	type CredentialName,
	callAuthorized,
} from '../auth/authorizedCall';
import { createMask } from '../errors/secrets';
import { CallError } from '../errors/callFault';
import { faultOf } from '../transport/faults';
import { MAX_REDIRECTS, isRedirect, redirectTarget, redirectedTo } from '../transport/redirect';
import { type RawResponse, discard } from '../transport/response';
import { sendGetWithBody } from './getWithBody';
import { type ServiceRequest, helperOptions } from './serviceRequest';

/**
 * Follows redirects of a GET within the service's own origin: elsewhere the token and the `system` header have no
 * business, and n8n's helpers would turn a call that changes something into a GET.
 */
export async function follow(
	context: CallingContext,
	request: ServiceRequest,
): Promise<AuthorizedResponse & { url: string }> {
	let options = helperOptions(request);
	for (let redirects = 0; ; redirects++) {
		const urlAt = (address: string) => (options.url.startsWith('/') ? address + options.url : options.url);
		const authorized = await callAuthorized(context, request, async (using, address) => {
			const sent = { url: urlAt(address), network: request.network };
			return await callHelper(context, request.credential, options, using).catch(async (thrown: unknown) => {
				const fault = faultOf(thrown, sent);
				return await Promise.reject(fault ? new CallError(fault) : thrown);
			});
		});
		const { response, address, secrets } = authorized;
		const url = urlAt(address);
		if (!isRedirect(response.statusCode)) return { ...authorized, url };
		discard(response);
		const target = redirectTarget(response.headers.location, url);
		const isOwn = target?.origin === new URL(address).origin;
		if (!target || !isOwn || request.method !== 'GET' || redirects === MAX_REDIRECTS)
			throw new CallError({
				kind: 'redirect',
				status: response.statusCode,
				...redirectedTo(target, address, url, createMask(secrets)),
			});
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
