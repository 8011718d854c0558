import { type CallFault, TokenError, failureOf } from '../errors/callFault';
import { readServiceMessage, says } from '../errors/serviceMessage';
import { type Words, faultWords } from '../errors/words';
import { type Authorization, exchange } from '../http/exchange';
import type { Sender } from '../http/helpers';
import type { Call } from '../http/response';
import { isRecord } from '../values/record';
import type { Deployment } from './deployment';
import type { IssuedToken } from './tokens';

const TIMEOUT_MS = 30_000;
/** Statuses by which a service refuses an account. */
const REFUSED = [400, 401, 403];

interface TokenRequest
	extends Pick<Authorization, 'address' | 'secrets'>, Pick<Call, 'path' | 'headers' | 'body'> {
	addressField: string;
	/** @returns the token of a success; undefined where there is none */
	read(body: Record<string, unknown>): IssuedToken | undefined;
	/** What the service's words hold where it refused the account, rather than a firewall the request. */
	refusedBy: RegExp;
	/** What is said where the service refused the account, and where something else came than a token. */
	refused: Words;
	none: Words;
}

/**
 * Asks for a token. The request holds the secret, so a redirect is not followed.
 *
 * @param deployment what the credential says: a node's own proxy or time-out has no say in what all share
 * @throws TokenError
 */
export async function requestToken(
	send: Sender,
	request: TokenRequest,
	{ network, secrets: ofDeployment }: Pick<Deployment, 'network' | 'secrets'>,
): Promise<IssuedToken> {
	const { address, path, headers, body } = request;
	const secrets = [...request.secrets, ...ofDeployment];
	const call: Call = {
		method: 'POST',
		path,
		headers,
		body,
		network: { ...network, timeout: TIMEOUT_MS },
		expects: 'anything',
	};
	const outcome = await exchange({ send, address, secrets }, call);
	if (outcome.kind !== 'response') throw tokenError(request, outcome);
	const { status, body: received } = outcome.response;
	const issued = isRecord(received) ? request.read(received) : undefined;
	if (issued) return issued;
	const isRefused = isRecord(received) && received.IsAuthenticated === false;
	const said = readServiceMessage(received, secrets);
	throw tokenError(request, { kind: 'status', status, said }, isRefused);
}

function tokenError(
	{ addressField, refusedBy, refused, none }: TokenRequest,
	fault: CallFault,
	isRefused = fault.kind === 'status' && REFUSED.includes(fault.status),
): TokenError {
	const [unreached, hint] = faultWords(fault, { addressField });
	if (fault.kind !== 'status' || fault.proxy) {
		const fix = fault.kind === 'body' ? `Check '${addressField}' in the credential` : hint;
		return new TokenError(unreached, fix, fault, failureOf(fault));
	}
	const { status, said: { text } = { text: '' } } = fault;
	const failure = failureOf(fault);
	const [happened, check] = isRefused ? refused : [none[0], failure ? hint : none[1]];
	return new TokenError(
		`${happened} (${status})`,
		[says(text), check].filter(Boolean).join('. '),
		isRefused && refusedBy.test(text) ? undefined : fault,
		isRefused ? { cause: 'credential-invalid' } : (failure ?? { cause: 'configuration-invalid' }),
	);
}
