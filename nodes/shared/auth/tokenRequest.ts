import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { failureOf } from '../errors/callErrors';
import { CallError, type CallFault } from '../errors/callFault';
import { faultWords } from '../errors/words';
import { createMask, unmasked } from '../errors/secrets';
import { readServiceMessage } from '../errors/serviceMessage';
import { TokenError } from '../errors/tokenError';
import { faultOf } from '../transport/faults';
import { isRedirect, redirectTarget, redirectedTo } from '../transport/redirect';
import { type Network, type RawResponse, type ServiceResponse, readResponse } from '../transport/response';
import { parseRetryAfter } from '../values/retryAfter';

const TIMEOUT_MS = 30_000;

/** A request for a token. */
export interface TokenCall {
	/** The credential's field with the address. */
	addressField: string;
	/** The credential's address, and the path behind it that issues tokens. */
	address: string;
	path: string;
	headers: Record<string, string>;
	body: string;
	/** The node's Request Options; none in a credential test, which knows the credential alone. */
	network?: Network;
	/** Never to be shown, should the service repeat them. */
	secrets: readonly string[];
}

/** How an account's refusal is put into words. */
export interface RefusalWords {
	/** The account itself was refused. */
	refused: string;
	refusedHint: string;
	/** The address responded, but not with a token. */
	none: string;
	noneHint: string;
}

/**
 * Sends a request for a token. It holds the secret, so a redirect is not followed.
 *
 * @returns the response, whatever its status
 * @throws TokenError when there is no response, or one that sends the secret elsewhere
 */
export async function askForToken(
	http: IHttpRequestHelper,
	{ addressField, address, path, headers, body, network, secrets }: TokenCall,
): Promise<ServiceResponse> {
	const url = address + path;
	const mask = createMask(secrets);
	// A token may happen to hold a short secret.
	const maskRefusal = (succeeded: boolean) => (succeeded ? unmasked : mask);
	const timeout = network?.timeout ?? TIMEOUT_MS;
	const endsAt = Date.now() + timeout;
	const options: IHttpRequestOptions = {
		...network,
		method: 'POST',
		url,
		headers: { Accept: 'application/json', ...headers },
		body,
		timeout,
		encoding: 'stream',
		disableFollowRedirect: true,
		ignoreHttpStatusErrors: true,
		returnFullResponse: true,
	};
	const reading = { url, network, endsAt, maskFor: maskRefusal };
	const refusal = (fault: CallFault, wasAnswered: boolean) => {
		const [happened, hint] = faultWords(fault, { addressField, inRun: network !== undefined });
		const fix = fault.kind === 'body' ? `Check '${addressField}' in the credential` : hint;
		return new TokenError(happened, fix, wasAnswered, failureOf(fault));
	};
	const response = await http.helpers
		.httpRequest(options)
		.then(async (raw: RawResponse) => await readResponse(raw, reading))
		.catch(async (thrown: unknown) => {
			const fault = faultOf(thrown, { url, network }) ?? { kind: 'connection', code: 'UNKNOWN' };
			return await Promise.reject(refusal(fault, thrown instanceof CallError && fault.kind === 'body'));
		});
	if (!isRedirect(response.status)) return response;
	const target = redirectTarget(response.headers.location, url);
	const to = redirectedTo(target, address, url, mask);
	throw refusal({ kind: 'redirect', status: response.status, ...to }, true);
}

/**
 * @param response what came instead of a token
 * @param secrets never to be shown, should the service repeat them
 * @param isRefused whether it is known to be about the account, besides by its status
 */
export function tokenRefusal(
	{ status, headers, body }: ServiceResponse,
	secrets: readonly string[],
	words: RefusalWords,
	isRefused = [400, 401, 403].includes(status),
): TokenError {
	const { text } = readServiceMessage(body, createMask(secrets));
	const [happened, hint] = isRefused ? [words.refused, words.refusedHint] : [words.none, words.noneHint];
	const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
	return new TokenError(
		`${happened} (${status})`,
		`${text ? `The service says: ${text}. ` : ''}${hint}`,
		true,
		isRefused
			? { cause: 'credential-invalid' }
			: (failureOf({ kind: 'status', status, retryAfterMs }) ?? { cause: 'configuration-invalid' }),
	);
}
