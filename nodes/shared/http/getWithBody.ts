import type { IAdditionalCredentialOptions, IHttpRequestOptions } from 'n8n-workflow';

import type { CallingContext, CredentialName } from '../auth/authorizedCall';
import type { RawResponse } from '../transport/response';

/**
 * Sends a GET with a body. `httpRequestWithAuthentication` drops the body of a GET without a word; the older helper keeps
 * it.
 *
 * @param options as for `httpRequestWithAuthentication`; the body is text
 * @param using the credential, as n8n takes it
 * @returns the response whatever its status; its body is a stream
 * @see contract/openapi.yaml subscription.get
 */
export async function sendGetWithBody(
	context: CallingContext,
	credential: CredentialName,
	options: IHttpRequestOptions,
	using: IAdditionalCredentialOptions,
): Promise<RawResponse> {
	const { proxy, url: uri, headers, body, qs, timeout } = options;
	const legacy = {
		method: 'GET' as const,
		uri,
		headers: { ...headers },
		body,
		qs,
		useQuerystring: true,
		timeout,
		rejectUnauthorized: !options.skipSslCertificateValidation,
		...(proxy ? { proxy: proxyAddress(proxy) } : {}),
		followRedirect: false,
		useStream: true,
		resolveWithFullResponse: true,
		simple: false,
	};
	const { requestWithAuthentication } = context.helpers;
	return (await requestWithAuthentication.call(context, credential, legacy, using)) as RawResponse;
}

/** The older helper takes a proxy as one address. */
function proxyAddress({ protocol, auth, host, port }: NonNullable<IHttpRequestOptions['proxy']>): string {
	const account = auth ? `${encodeURIComponent(auth.username)}:${encodeURIComponent(auth.password)}@` : '';
	return `${protocol ?? 'http'}://${account}${host}:${port}`;
}
