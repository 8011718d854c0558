import type {
	IAdditionalCredentialOptions,
	ICredentialTestFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import type { RawResponse } from './response';

/** What n8n gives a node to make calls with. */
export type CallingContext = IExecuteFunctions | IPollFunctions | ILoadOptionsFunctions;

/** Sends one request by one of n8n's helpers; returns the response as a stream, whatever its status. */
export type Sender = (options: IHttpRequestOptions) => Promise<RawResponse>;

/**
 * n8n's helper that authenticates a request by a credential. It drops the body of a GET without a word; the older helper
 * keeps it.
 *
 * @see contract/openapi.yaml subscription.get
 */
export function authenticatedSender(
	context: CallingContext,
	credential: string,
	using: IAdditionalCredentialOptions,
): Sender {
	const { httpRequestWithAuthentication, requestWithAuthentication } = context.helpers;
	return async (options): Promise<RawResponse> => {
		if (options.method === 'GET' && options.body !== undefined) {
			return await requestWithAuthentication.call(
				context,
				credential,
				olderOptions(options),
				using,
			);
		}
		const sent = httpRequestWithAuthentication.call(context, credential, options, using);
		return (await sent) as RawResponse;
	};
}

/** n8n gives the test of a credential its older helper only. */
export function plainSender({ helpers }: ICredentialTestFunctions): Sender {
	const { request } = helpers;
	return async (options) => (await request(olderOptions(options))) as RawResponse;
}

/** @returns a request as n8n's older helpers take it */
function olderOptions(options: IHttpRequestOptions) {
	const { method = 'GET', url: uri, headers, body, qs, timeout } = options;
	return {
		method,
		uri,
		headers: { ...headers },
		body,
		qs,
		useQuerystring: true,
		timeout,
		rejectUnauthorized: !options.skipSslCertificateValidation,
		followRedirect: false,
		useStream: true,
		resolveWithFullResponse: true,
		simple: false,
	};
}
