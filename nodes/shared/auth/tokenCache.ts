import { createHash } from 'crypto';

import { TokenError } from '../errors/tokenError';

/** One access token as this process knows it. Times are milliseconds since the epoch. */
export interface IssuedToken {
	token: string;
	/** When the token should no longer be used: a little before the service drops it. */
	expiresAt: number;
}

export interface TokenRequest {
	/** What the token belongs to: address and account, the secret included. Only its hash is kept. */
	account: readonly string[];
	/** The token the caller holds, '' when it has none. Another one is wanted in its place. */
	rejected: string;
	/**
	 * When the call that the service refused was sent. What this process got before may have been revoked as well: where
	 * several processes store their tokens in one credential, the refused one need not be this process's own.
	 */
	refusedCallSentAt?: number;
	now: () => number;
	issue: () => Promise<IssuedToken>;
}

/** What is known of one account. */
interface Account {
	pending?: Promise<IssuedToken>;
	/** The latest token, and whether it was requested in place of another one, refused or expired. */
	issued?: IssuedToken & { at: number; inPlaceOfAnother: boolean };
	refused?: { reason: Error; at: number };
	/** Tokens in whose place a new one was requested, the latest last. */
	replaced: string[];
}

/** A caller without a token shares one that is this young: n8n may still be storing it. */
const SHARED_FOR_MS = 30_000;
/**
 * After a revocation the runs of this process notice one by one, with the tokens of several processes. What was requested
 * for the first of them serves the others for this long.
 */
const SAME_REVOCATION_MS = 30_000;
/** A refused secret is not tried again sooner: 200 items get one answer from one request. */
const REFUSED_FOR_MS = 5_000;
const MAX_ACCOUNTS = 500;
const MAX_REPLACED = 20;

/**
 * Shares token requests between everything in this process that uses the same account: however many items and nodes
 * ask at the same moment, one request goes out.
 *
 * @returns a function from a {@link TokenRequest} to the token to use. Rejects with what `issue` rejects with.
 */
export function createTokenCache(): (request: TokenRequest) => Promise<IssuedToken> {
	const accounts = new Map<string, Account>();

	return async ({ account, rejected, refusedCallSentAt = 0, now, issue }) => {
		const key = createHash('sha256').update(JSON.stringify(account)).digest('base64');
		const known = accounts.get(key) ?? { replaced: [] };
		accounts.delete(key);
		accounts.set(key, known);
		if (accounts.size > MAX_ACCOUNTS) accounts.delete(accounts.keys().next().value as string);

		const { issued, refused } = known;
		if (known.pending) return await known.pending;
		if (refused && now() - refused.at < REFUSED_FOR_MS) throw refused.reason;
		const stillGood =
			issued &&
			issued.expiresAt > now() &&
			issued.token !== rejected &&
			(issued.at >= refusedCallSentAt ||
				known.replaced.includes(rejected) ||
				(issued.inPlaceOfAnother && now() - issued.at < SAME_REVOCATION_MS));
		if (stillGood && (rejected !== '' || now() - issued.at < SHARED_FOR_MS)) return issued;

		known.pending = issue()
			.then(
				(token) => {
					const old = [rejected, known.issued?.token ?? ''].filter((one) => one !== '');
					known.replaced = [...known.replaced, ...old].slice(-MAX_REPLACED);
					known.issued = { ...token, at: now(), inPlaceOfAnother: rejected !== '' };
					known.refused = undefined;
					return token;
				},
				async (reason: unknown) => {
					if (reason instanceof TokenError && reason.wasAnswered) known.refused = { reason, at: now() };
					return await Promise.reject(reason);
				},
			)
			.finally(() => (known.pending = undefined));
		return await known.pending;
	};
}
