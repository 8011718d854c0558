import type { IDataObject, IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { failureOfConnection } from '../errors/failure';
import { connectionWords } from '../errors/nodeErrors';
import { TokenError } from '../errors/tokenError';

/** What came for a request for a token, whatever its status. */
export interface TokenResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

const TIMEOUT_MS = 30_000;

/**
 * Sends a request for a token.
 *
 * @param addressField the credential's field with the address, for the error when nothing answers there
 * @returns the answer, whatever its status
 * @throws TokenError when there is no answer
 */
export async function askForToken(
	http: IHttpRequestHelper,
	addressField: string,
	options: IHttpRequestOptions,
): Promise<TokenResponse> {
	const answer: unknown = await http.helpers
		.httpRequest({ ...options, returnFullResponse: true, ignoreHttpStatusErrors: true, timeout: TIMEOUT_MS })
		.catch(async ({ code }: { code?: string }) => {
			const [happened, hint] = connectionWords(code ?? '', addressField);
			return await Promise.reject(new TokenError(happened, hint, false, failureOfConnection(code ?? '')));
		});
	return answer as TokenResponse;
}
