import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { CredentialName } from '../auth/authorizedCall';
import type { Network } from '../transport/response';

/** One call. The credential supplies the address in front of `path`, the token and the `system` header. */
export interface ServiceRequest {
	credential: CredentialName;
	method: IHttpRequestMethods;
	/** Filled and encoded, e.g. `/api/booking/v1/booking/customers`. */
	path: string;
	/** Lists are repeated: `status=1&status=2`. */
	query?: IDataObject;
	headers?: IDataObject;
	/** Sent as JSON; `undefined` sends no body, `{}` sends `{}`. */
	body?: unknown;
	network?: Network;
	/** Milliseconds since 1970 by which the call has to end, repeats included; undefined: no limit. */
	deadline?: number;
	/**
	 * Milliseconds since 1970 until which the call is retried while it is rate-limited; undefined: the deadline, else 10
	 * minutes in a run and 30 seconds in the editor.
	 */
	giveUpAt?: number;
	/** False for a call that makes a token itself. */
	takesToken?: false;
	/** The `system` header: another one than the credential's, or false for none. */
	system?: string | false;
	/** Secrets of the body, which no text may show. */
	secrets?: readonly string[];
	/** Names of the response's documented fields: what stands in them comes out as it is, though it may equal a secret. */
	documented?: readonly string[];
	/** What the call changes, in the words of the form, e.g. `'Web Booking' 3f25…`. */
	record?: string;
	/** Megabytes that the response may have. */
	largestMb?: number;
	/** As many records of a list are enough where the whole is larger. */
	records?: number;
	/** Whether a text is a success too, where the documents show no body; a web page never is. */
	acceptsText?: boolean;
}

/** As n8n's own nodes wait. */
const DEFAULT_TIMEOUT_MS = 300_000;

/** @returns n8n's time-out in milliseconds, cut to what is left until the deadline */
export function timeoutOf({ network, deadline = Infinity }: ServiceRequest): number {
	return Math.max(1, Math.min(network?.timeout ?? DEFAULT_TIMEOUT_MS, deadline - Date.now()));
}

/** @returns the request as n8n's helpers take it; the response comes as a stream, whatever its status */
export function helperOptions(request: ServiceRequest): IHttpRequestOptions {
	const { method, path, query = {}, headers, body, network } = request;
	const hasBody = body !== undefined;
	return {
		...network,
		method,
		url: path,
		qs: query,
		arrayFormat: 'repeat',
		headers: {
			Accept: 'application/json',
			...(hasBody ? { 'Content-Type': 'application/json' } : {}),
			...headers,
		},
		...(hasBody ? { body: JSON.stringify(body) } : {}),
		timeout: timeoutOf(request),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}
