import type { CallFailure, TokenRequestWords } from '../errors/failure';
import { readServiceMessage } from '../errors/serviceMessage';
import { type Authorization, attemptCall } from '../http/attempt';
import type { Sender } from '../http/helpers';
import type { Call } from '../http/response';
import { unfitForHeader } from '../values/text';
import type { IssuedToken } from './tokens';

const TIMEOUT_MS = 30_000;
/** More is no token. */
const MAX_BYTES = 64 * 1024;
const LONGEST_TOKEN = 8 * 1024;

interface TokenRequest extends TokenRequestWords, Pick<Authorization, 'address'> {
	call: Pick<Call, 'path' | 'headers' | 'body' | 'skipSslCertificateValidation'> &
		Required<Pick<Call, 'secrets'>>;
	/** @returns the token of a success; undefined where there is none */
	read(body: Record<string, unknown>): IssuedToken | undefined;
	/** Found in a 400 that rejects the account. */
	refusedBy: RegExp;
}

/**
 * Asks for a token. The request holds the secret, so a redirect is not followed.
 *
 * @returns the token, or why there is none
 */
export async function requestToken(
	send: Sender,
	{ address, call, read, refusedBy, ...request }: TokenRequest,
): Promise<IssuedToken | CallFailure> {
	const outcome = await attemptCall(
		{ send, address, currentSecrets: () => [] },
		{ method: 'POST', ...call, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES, expects: 'record' },
	);
	if (outcome.kind === 'response') {
		const { status, body = {} } = outcome.response;
		const received = body as Record<string, unknown>;
		const issued = read(received);
		if (issued) return issued;
		const isRefused = received.IsAuthenticated === false;
		const said = readServiceMessage(received, call.secrets);
		return { kind: 'status', status, said, ofToken: { ...request, isRefused } };
	}
	const { status = 0 } = outcome.kind === 'status' ? outcome : {};
	const { text = '', isPage } = outcome.said ?? {};
	const isRejection = status === 401 || status === 403 || (status === 400 && refusedBy.test(text));
	return { ...outcome, ofToken: { ...request, isRefused: isRejection && !isPage } };
}

/** @returns the token, undefined for none that a header can carry */
export function headerToken(value: unknown): string | undefined {
	const token = typeof value === 'string' ? value.trim() : '';
	const isFit =
		token !== '' && token.length <= LONGEST_TOKEN && unfitForHeader(token) === undefined;
	return isFit ? token : undefined;
}
