import { createHash } from 'crypto';

import type { CallFailure } from '../errors/failure';
import { outcomeOf } from '../errors/failureTable';
import { abortable } from '../http/deadline';
import type { Authorization } from '../http/attempt';
import type { Sender } from '../http/helpers';
import { RecentMap } from '../values/recentMap';

export interface IssuedToken {
	token: string;
	/** When to request another one, shortly before it expires, on the clock of `performance.now()`. */
	endsAt: number;
}

/** An account of a service, as its credential describes it now. */
export interface SignedAccount extends Pick<Authorization, 'address'> {
	readonly secrets: readonly string[];
	/** Hash of what a token belongs to: credential type, addresses, account and secret. */
	readonly key: string;
	/**
	 * Requests a token once. The request contains the secret.
	 *
	 * @returns the token, or why there is none
	 */
	requestToken(send: Sender): Promise<IssuedToken | CallFailure>;
}

interface TokenMemory {
	/** What the last request came to, and until when that counts. */
	last?: { result: IssuedToken | CallFailure; endsAt: number };
	/** The last tokens that were issued. */
	seen: string[];
	request?: Promise<IssuedToken | CallFailure>;
	/** Until then the token is not replaced: it has just been. */
	trustedUntil: number;
}

/** How long a token or a refusal is believed without another request: one serves 200 items. */
const NO_NEW_REQUEST_MS = 5_000;
const MAX_ACCOUNTS = 500;
const MAX_SEEN = 20;

/** What this process remembers of each account, by key: a token is only found for the account it was issued for. */
const accounts = new RecentMap<TokenMemory>(MAX_ACCOUNTS);

/** @returns the key of an account, see {@link SignedAccount.key} */
export function accountKey(...belongsTo: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(belongsTo)).digest('base64');
}

/**
 * The token of an account. Items, nodes and runs that ask while there is none share one request.
 *
 * @param refused the token that the service has rejected, if any: another one is wanted, unless that one was requested for the
 * same reason a moment ago
 * @param signal ends the waiting for this caller
 * @returns what {@link SignedAccount.requestToken} does; a final failure for a few seconds without another request
 * @throws the reason of the signal once that is aborted
 */
export async function tokenFor(
	send: Sender,
	account: SignedAccount,
	{ refused, signal }: { refused?: string; signal?: AbortSignal } = {},
): Promise<IssuedToken | CallFailure> {
	signal?.throwIfAborted();
	const known = knownOf(account.key);
	const { last, trustedUntil } = known;
	const now = performance.now();
	if (!known.request && last && last.endsAt > now) {
		const isRefused = 'token' in last.result && last.result.token === refused;
		if (!isRefused || now < trustedUntil) return last.result;
		known.trustedUntil = now + NO_NEW_REQUEST_MS;
		known.last = undefined;
	}
	known.request ??= renew(known, account.requestToken(send));
	return await abortable(known.request, signal);
}

/** @returns the last tokens of an account: a response may hold one that was replaced while its call was in flight */
export function tokensOf(key: string): readonly string[] {
	return knownOf(key).seen;
}

function knownOf(key: string): TokenMemory {
	return accounts.open(key, () => ({ seen: [], trustedUntil: 0 }));
}

/** Requests a token and remembers the result, but for a failure that may pass. */
async function renew(
	known: TokenMemory,
	request: Promise<IssuedToken | CallFailure>,
): Promise<IssuedToken | CallFailure> {
	try {
		const result = await request;
		if ('token' in result) {
			known.seen = [...known.seen, result.token].slice(-MAX_SEEN);
			known.last = { result, endsAt: result.endsAt };
		} else if (outcomeOf(result).next === 'end')
			known.last = { result, endsAt: performance.now() + NO_NEW_REQUEST_MS };
		return result;
	} finally {
		known.request = undefined;
	}
}
