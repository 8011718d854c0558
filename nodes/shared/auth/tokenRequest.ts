import { type CallFault, TokenError, failureOf, topicOf } from '../errors/callFault';
import { redactAll, redactionOf } from '../errors/secrets';
import { readServiceMessage } from '../errors/serviceMessage';
import { type Words, faultWords } from '../errors/words';
import { type Call, exchange } from '../http/exchange';
import type { Sender } from '../http/helpers';
import type { Network } from '../http/response';
import { isRecord } from '../values/record';
import type { IssuedToken } from './tokens';

const TIMEOUT_MS = 30_000;
/** Statuses by which a service refuses an account. */
const REFUSED = [400, 401, 403];
/** Where the token stands in the response: it may happen to hold a secret. */
const TOKEN_FIELDS = ['access_token', 'AuthenticationToken'];

/** A request for a token. */
interface TokenRequest extends Pick<Call, 'path' | 'headers' | 'body'> {
	/** The credential's field with the address. */
	addressField: string;
	address: string;
	/** Never to be shown, should the service repeat them. */
	secrets: readonly string[];
	/** @returns the token of a success; undefined where there is none */
	read(body: Record<string, unknown>): IssuedToken | undefined;
	/** What is said where the service refused the account, and where something else came than a token. */
	refused: Words;
	none: Words;
}

/**
 * Asks for a token. The request holds the secret, so a redirect is not followed.
 *
 * @param network the node's Request Options; none in a credential test, which knows the credential alone
 * @throws TokenError
 */
export async function requestToken(
	send: Sender,
	request: TokenRequest,
	network?: Network,
): Promise<IssuedToken> {
	const { address, secrets, path, headers, body } = request;
	const call: Call = {
		method: 'POST',
		path,
		headers,
		body,
		network: { timeout: TIMEOUT_MS, ...network },
		documented: TOKEN_FIELDS,
		accepts: 'anything',
	};
	const outcome = await exchange({ send, address, secrets }, call);
	if (outcome.kind !== 'response') throw tokenError(request, outcome, network);
	const { status, body: received } = outcome.response;
	const issued = isRecord(received) ? request.read(received) : undefined;
	if (issued) return issued;
	const shown = redactAll(received, redactionOf(secrets));
	throw tokenError(request, { kind: 'status', status, body: shown }, network);
}

function tokenError(
	{ addressField, refused, none }: TokenRequest,
	fault: CallFault,
	network?: Network,
): TokenError {
	if (fault.kind !== 'status' || fault.proxy) {
		const [happened, hint] = faultWords(fault, { addressField, inRun: network !== undefined });
		const fix = fault.kind === 'body' ? `Check '${addressField}' in the credential` : hint;
		const wasAnswered = fault.kind === 'body' || fault.kind === 'redirect';
		return new TokenError(happened, fix, wasAnswered, failureOf(fault), topicOf(fault));
	}
	const { status, body } = fault;
	const isRefused = REFUSED.includes(status) || (isRecord(body) && body.IsAuthenticated === false);
	const [happened, hint] = isRefused ? refused : none;
	const { text } = readServiceMessage(body);
	return new TokenError(
		`${happened} (${status})`,
		`${text ? `The service says: ${text}. ` : ''}${hint}`,
		true,
		isRefused ? { cause: 'credential-invalid' } : (failureOf(fault) ?? { cause: 'configuration-invalid' }),
	);
}
