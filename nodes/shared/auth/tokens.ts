import { createHash } from 'crypto';
import isEqual from 'lodash/isEqual';

import { TokenError } from '../errors/callFault';
import type { Sender } from '../http/helpers';
import type { Network } from '../http/response';
import { RecentMap } from '../values/recentMap';

/** An access token as this process knows it. */
export interface IssuedToken {
	token: string;
	/** When the token should no longer be used, in milliseconds since 1970: a little before the service drops it. */
	expiresAt: number;
}

/** An account of a service, as its credential says now. */
export interface Account {
	/** Hash of all that a token belongs to: the type of the credential, the addresses, the account and its secret. */
	readonly key: string;
	/** The address that the paths of calls are appended to. */
	readonly address: string;
	/** Never to be shown. */
	readonly secrets: readonly string[];
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
	const token = renew(send, account, known, network).finally(() => (known.request = undefined));
	known.request = { token, network };
	return await token;
}

async function renew(
	send: Sender,
	account: Account,
	known: KnownAccount,
	network?: Network,
): Promise<IssuedToken> {
	const issued = await account.requestToken(send, network).catch(async (reason: unknown) => {
		if (wasAnswered(reason)) known.refusal = { reason, at: Date.now() };
		return await Promise.reject(reason);
	});
	Object.assign(known, { issued, refusal: undefined });
	return issued;
}

function wasAnswered(reason: unknown): reason is TokenError {
	return reason instanceof TokenError && reason.wasAnswered;
}
