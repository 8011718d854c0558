import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { parseText } from './serviceMessage';
import type { CallingContext, CredentialName } from './transport';

/**
 * Sends a GET with a body (second document, 'Get a subscription'). `httpRequestWithAuthentication` drops the body of a
 * GET without a word; the older helper keeps it. It would also take any status outside 2xx for an expired session, so
 * statuses are left to the caller and only a 401 is sent again, in the name of the token that was refused.
 *
 * @param options as for `httpRequestWithAuthentication`; the body is text
 * @returns n8n's full response: `body`, `headers`, `statusCode`
 */
export async function sendGetWithBody(
	context: CallingContext,
	credential: CredentialName,
	options: IHttpRequestOptions,
): Promise<unknown> {
	const attempt = async (refusedToken?: string) => {
		const legacy = {
			method: 'GET' as const,
			uri: options.url,
			headers: { ...options.headers },
			body: options.body,
			timeout: options.timeout,
			resolveWithFullResponse: true,
			simple: false,
			refusedToken,
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
	return (await attempt(String(first.sent.Authorization ?? ''))).full;
}
