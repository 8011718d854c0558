import type { CallFailure, TokenRequestWords } from '../errors/callFailure';
import { readPageTitle, readServiceMessage } from '../errors/serviceMessage';
import { type Authorization, exchange } from '../http/exchange';
import type { Sender } from '../http/helpers';
import type { Call } from '../http/response';
import { isRecord } from '../values/record';
import { unfitForHeader } from '../values/text';
import type { Deployment } from './deployment';
import type { IssuedToken } from './tokens';

const TIMEOUT_MS = 30_000;
/** More is no token. */
const MAX_BYTES = 64 * 1024;
const LONGEST_TOKEN = 8 * 1024;

interface TokenRequest
	extends TokenRequestWords, Pick<Authorization, 'address'>, Pick<Call, 'path' | 'headers' | 'body'> {
	secrets: readonly string[];
	/** @returns the token of a success; undefined where there is none */
	read(body: Record<string, unknown>): IssuedToken | undefined;
	/** Found in a 400 that rejects the account, where the API documents one. */
	refusedBy?: RegExp;
}

/**
 * Asks for a token. The request holds the secret, so a redirect is not followed.
 *
 * @param deployment from the credential: a node's own timeout does not apply to a shared token
 * @returns the token, or why there is none
 */
export async function requestToken(
	send: Sender,
	{ address, path, headers, body, read, refusedBy, ...request }: TokenRequest,
	{ headers: extra, skipSslCertificateValidation }: Deployment,
): Promise<IssuedToken | CallFailure> {
	const secrets = [...request.secrets, ...Object.values(extra)];
	const sent = {
		path,
		headers,
		body,
		skipSslCertificateValidation,
		timeout: TIMEOUT_MS,
		maxBytes: MAX_BYTES,
	};
	const call: Call = { method: 'POST', ...sent, expects: 'anything' };
	const outcome = await exchange({ send, address, currentSecrets: () => secrets }, call);
	const received = outcome.kind === 'response' ? outcome.response.body : undefined;
	const issued = isRecord(received) ? read(received) : undefined;
	if (issued) return issued;
	const said = isRecord(received) ? readServiceMessage(received, secrets) : readPageTitle(received, secrets);
	const failure: CallFailure =
		outcome.kind === 'response' ? { kind: 'status', status: outcome.response.status, said } : outcome;
	const { status = 0 } = failure.kind === 'status' ? failure : {};
	const isNamed = status === 400 && (refusedBy?.test(failure.said?.text ?? '') ?? true);
	const rejects = (status === 401 || status === 403 || isNamed) && !failure.said?.isPage;
	const isRefused = rejects || (isRecord(received) && received.IsAuthenticated === false);
	return { ...failure, ofToken: { ...request, isRefused } };
}

/** @returns the token, undefined for none that a header can carry */
export function headerToken(value: unknown): string | undefined {
	const token = typeof value === 'string' ? value.trim() : '';
	const isFit = token !== '' && token.length <= LONGEST_TOKEN && unfitForHeader(token) === undefined;
	return isFit ? token : undefined;
}
