import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { parseText } from '../errors/serviceMessage';
import type { CallingContext, CredentialName } from '../auth/runCredentials';

/**
 * Sends a GET with a body (second document, 'Get a subscription'). `httpRequestWithAuthentication` drops the body of a
 * GET without a word; the older helper keeps it. It would also take any status outside 2xx for an expired session, so
 * statuses are left to the caller and only a 401 is sent again, with a session other than
 * the refused one.
 *
 * @param options as for `httpRequestWithAuthentication`; the body is text
 * @returns n8n's full response: `body`, `headers`, `statusCode`
 */
export async function sendGetWithBody(
	context: CallingContext,
	credential: CredentialName,
	options: IHttpRequestOptions,
): Promise<unknown> {
	const { proxy } = options;
	const attempt = async (refused?: IDataObject) => {
		const legacy = {
			method: 'GET' as const,
			uri: options.url,
			headers: { ...options.headers },
			body: options.body,
			qs: options.qs,
			useQuerystring: true,
			timeout: options.timeout,
			rejectUnauthorized: !options.skipSslCertificateValidation,
			...(proxy ? { proxy: proxyAddress(proxy) } : {}),
			sendCredentialsOnCrossOriginRedirect: options.sendCredentialsOnCrossOriginRedirect,
			resolveWithFullResponse: true,
			simple: false,
			refused,
		};
		const { requestWithAuthentication } = context.helpers;
		const full = (await requestWithAuthentication.call(context, credential, legacy)) as {
			statusCode: number;
			body: unknown;
		};
		return { full: { ...full, body: parseText(full.body) }, sent: legacy.headers as IDataObject };
	};

	const first = await attempt();
	if (first.full.statusCode !== 401) return first.full;
	return (await attempt(first.sent)).full;
}

/** The older helper takes a proxy as one address. */
function proxyAddress({ protocol, auth, host, port }: NonNullable<IHttpRequestOptions['proxy']>): string {
	const account = auth ? `${encodeURIComponent(auth.username)}:${encodeURIComponent(auth.password)}@` : '';
	return `${protocol ?? 'http'}://${account}${host}:${port}`;
}
