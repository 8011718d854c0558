import { createHash } from 'crypto';

import { TokenError } from '../errors/callFault';
import { abortable } from '../http/concurrency/alarm';
import type { Authorization } from '../http/exchange';
import type { Sender } from '../http/helpers';
import { RecentMap } from '../values/recentMap';

export interface IssuedToken {
	token: string;
	/** When another one should be asked for, a little before the service drops it, on the clock of `performance.now()`. */
	endsAt: number;
}

/** An account of a service, as its credential says now. */
export interface Account extends Pick<Authorization, 'address' | 'secrets'> {
	/** Hash of all that a token belongs to: the type of the credential, the addresses, the account and its secret. */
	readonly key: string;
	/**
	 * Asks for a token, once, on the credential's own way: it carries the secret.
	 *
	 * @throws TokenError when no token is issued
	 */
	requestToken(send: Sender): Promise<IssuedToken>;
}

interface KnownAccount {
	issued?: IssuedToken;
	/** Tokens that were issued or refused, the latest last. */
	seen: string[];
	request?: Promise<IssuedToken>;
	refusal?: { reason: TokenError; endsAt: number };
	/** Until then no failed call of n8n's own nodes casts doubt on a token. */
	trustedUntil?: number;
}

/** A refused secret is not tried again sooner: 200 items get one answer from one request. */
const REFUSED_FOR_MS = 5_000;
const MAX_ACCOUNTS = 500;
const MAX_SEEN = 20;

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
 * @param signal ends the waiting for this caller
 * @throws what {@link Account.requestToken} throws; a refusal for a few seconds without another request
 */
export async function tokenFor(
	send: Sender,
	account: Account,
	{ refused, signal }: { refused?: string; signal?: AbortSignal } = {},
): Promise<IssuedToken> {
	signal?.throwIfAborted();
	const known = knownOf(account.key);
	const { issued, refusal } = known;
	if (!known.request) {
		const isDoubtful = refused !== undefined && (refused === issued?.token || !known.seen.includes(refused));
		if (isDoubtful) drop(known, refused);
		else if (issued && issued.endsAt > performance.now()) return issued;
		if (refusal && refusal.endsAt > performance.now()) throw refusal.reason;
	}
	const request = (known.request ??= renew(known, account.requestToken(send)));
	return await abortable<IssuedToken>(signal, (resolve, reject) => {
		request.then(resolve, reject);
		return () => undefined;
	});
}

/** Has another token issued in the place of one that a call failed with, though nobody knows whether by its fault. */
export function doubt(key: string, token: string): void {
	const known = knownOf(key);
	if (performance.now() < (known.trustedUntil ?? 0)) return;
	known.trustedUntil = performance.now() + REFUSED_FOR_MS;
	drop(known, token);
}

/** Whether there is, or has to be, another token in the place of this one. */
export function isReplaced(key: string, token: string): boolean {
	const { issued, seen } = knownOf(key);
	return seen.includes(token) && issued?.token !== token;
}

function knownOf(key: string): KnownAccount {
	return accounts.open(key, () => ({ seen: [] }));
}

function drop(known: KnownAccount, token: string): void {
	known.issued = undefined;
	known.seen = [...known.seen, token].slice(-MAX_SEEN);
}

/** Remembers what comes of a request for a token. */
async function renew(known: KnownAccount, request: Promise<IssuedToken>): Promise<IssuedToken> {
	return await request.then(
		(issued) => {
			drop(known, issued.token);
			return Object.assign(known, { issued, refusal: undefined, request: undefined }).issued;
		},
		async (reason: unknown) => {
			known.request = undefined;
			if (reason instanceof TokenError && !reason.fault)
				known.refusal = { reason, endsAt: performance.now() + REFUSED_FOR_MS };
			return await Promise.reject(reason);
		},
	);
}
