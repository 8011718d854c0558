import { createHash } from 'crypto';
import isEqual from 'lodash/isEqual';

import { type CallFault, TokenError, failureOf } from '../errors/callFault';
import { readServiceMessage, says } from '../errors/serviceMessage';
import { type Words, faultWords } from '../errors/words';
import { type Authorization, exchange } from '../http/exchange';
import type { Sender } from '../http/helpers';
import type { Call, Network } from '../http/response';
import { isRecord } from '../values/record';
import { RecentMap } from '../values/recentMap';

export interface IssuedToken {
	token: string;
	/** When the token should no longer be used, in milliseconds since 1970: a little before the service drops it. */
	expiresAt: number;
}

/** An account of a service, as its credential says now. */
export interface Account extends Pick<Authorization, 'address' | 'secrets'> {
	/** Hash of all that a token belongs to: the type of the credential, the addresses, the account and its secret. */
	readonly key: string;
	/** @throws TokenError when no token is issued */
	requestToken(send: Sender, network?: Network): Promise<IssuedToken>;
}

interface KnownAccount {
	issued?: IssuedToken;
	/** Tokens in whose place another one was issued, the latest last. */
	replaced: string[];
	request?: { token: Promise<IssuedToken>; network?: Network };
	refusal?: { reason: TokenError; at: number };
}

/** A refused secret is not tried again sooner: 200 items get one answer from one request. */
const REFUSED_FOR_MS = 5_000;
const MAX_ACCOUNTS = 500;
const MAX_REPLACED = 20;

/** What this process remembers of each account, by its key: so a token can only be had for the account it was issued for. */
const accounts = new RecentMap<KnownAccount>(MAX_ACCOUNTS);

/** @returns the key of an account, see {@link Account.key} */
export function accountKey(...belongsTo: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(belongsTo)).digest('base64');
}

/**
 * The token to use for an account. Items, nodes and runs that ask while there is none share one request.
 *
 * @param refused the token that the service has refused, if any: another one is wanted. One that another process got is
 * no less reason to doubt this process's own.
 * @param network for the token request
 * @throws what {@link Account.requestToken} throws; a refusal for a few seconds without another request
 */
export async function tokenFor(
	send: Sender,
	account: Account,
	{ refused, network }: { refused?: string; network?: Network } = {},
): Promise<IssuedToken> {
	const known = accounts.open(account.key, () => ({ replaced: [] }));
	while (known.request) {
		const { token, network: used } = known.request;
		const shared = await token.catch(async (reason: unknown) => {
			// Where no response came, the proxy of another node may be why.
			const mayOwnSucceed = !wasAnswered(reason) && !isEqual(used, network);
			return mayOwnSucceed ? undefined : await Promise.reject(reason);
		});
		if (shared) return shared;
	}
	const { issued, refusal } = known;
	const isDoubtful =
		refused !== undefined && (refused === issued?.token || !known.replaced.includes(refused));
	if (issued && issued.expiresAt > Date.now() && !isDoubtful) return issued;
	if (refusal && Date.now() - refusal.at < REFUSED_FOR_MS) throw refusal.reason;

	const old = [refused, issued?.token].filter((token) => token !== undefined);
	known.replaced = [...known.replaced, ...old].slice(-MAX_REPLACED);
	known.issued = undefined;
	const token = account
		.requestToken(send, network)
		.then((issued) => {
			Object.assign(known, { issued, refusal: undefined });
			return issued;
		})
		.catch(async (reason: unknown) => {
			if (wasAnswered(reason)) known.refusal = { reason, at: Date.now() };
			return await Promise.reject(reason);
		})
		.finally(() => (known.request = undefined));
	known.request = { token, network };
	return await token;
}

function wasAnswered(reason: unknown): reason is TokenError {
	return reason instanceof TokenError && reason.wasAnswered;
}

const TIMEOUT_MS = 30_000;
/** Statuses by which a service refuses an account. */
const REFUSED = [400, 401, 403];

interface TokenRequest
	extends Pick<Authorization, 'address' | 'secrets'>, Pick<Call, 'path' | 'headers' | 'body'> {
	addressField: string;
	/** @returns the token of a success; undefined where there is none */
	read(body: Record<string, unknown>): IssuedToken | undefined;
	/** What is said where the service refused the account, and where something else came than a token. */
	refused: Words;
	none: Words;
}

/**
 * Asks for a token. The request holds the secret, so a redirect is not followed.
 *
 * @param network the node's Options; none in a credential test, which knows the credential alone
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
		expects: 'anything',
	};
	const outcome = await exchange({ send, address, secrets }, call);
	if (outcome.kind !== 'response') throw tokenError(request, outcome, network);
	const { status, body: received } = outcome.response;
	const issued = isRecord(received) ? request.read(received) : undefined;
	if (issued) return issued;
	const isRefused = isRecord(received) && received.IsAuthenticated === false;
	const said = readServiceMessage(received, secrets);
	throw tokenError(request, { kind: 'status', status, said }, network, isRefused);
}

function tokenError(
	{ addressField, refused, none }: TokenRequest,
	fault: CallFault,
	network?: Network,
	isRefused = fault.kind === 'status' && REFUSED.includes(fault.status),
): TokenError {
	if (fault.kind !== 'status' || fault.proxy) {
		const [happened, hint] = faultWords(fault, { addressField, inRun: network !== undefined });
		const fix = fault.kind === 'body' ? `Check '${addressField}' in the credential` : hint;
		const wasAnswered = fault.kind === 'body' || fault.kind === 'redirect';
		return new TokenError(happened, fix, wasAnswered, failureOf(fault));
	}
	const { status, said } = fault;
	const [happened, hint] = isRefused ? refused : none;
	return new TokenError(
		`${happened} (${status})`,
		[says(said?.text ?? ''), hint].filter(Boolean).join('. '),
		true,
		isRefused ? { cause: 'credential-invalid' } : (failureOf(fault) ?? { cause: 'configuration-invalid' }),
	);
}
