import { createHash } from 'crypto';

import type { CallFailure, NoTokenReason, TokenRequestWords } from '../errors/failure';
import { outcomeOf } from '../errors/failureTable';
import { readServiceMessage } from '../errors/serviceMessage';
import { abortable } from '../http/deadline';
import { type Authorization, attemptCall } from '../http/attempt';
import type { Sender } from '../http/helpers';
import type { Call } from '../http/response';
import { RecentMap } from '../values/recentMap';
import { firstUnsendable } from '../values/text';

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

/** What this process remembers of an account's tokens. */
interface TokenMemory {
	/** What the last request came to, and until when that counts. */
	last?: { result: IssuedToken | CallFailure; endsAt: number };
	/** The last tokens that were issued. */
	seen: string[];
	/** The request that is under way. */
	request?: Promise<IssuedToken | CallFailure>;
	/** Until then the token is not replaced: it has just been. */
	trustedUntil: number;
}

/** For so long after a new token or a final failure no other token is requested: one request serves 200 items. */
const NO_NEW_REQUEST_MS = 5_000;
const MAX_ACCOUNTS = 500;
const MAX_SEEN = 20;

/** By the account's key: a token is only found for the account it was issued for. */
const memories = new RecentMap<TokenMemory>(MAX_ACCOUNTS);

/** @returns the key of an account, see {@link SignedAccount.key} */
export function accountKey(...belongsTo: readonly string[]): string {
	return createHash('sha256').update(JSON.stringify(belongsTo)).digest('base64');
}

/**
 * The token of an account. Items, nodes and runs that ask while there is none share one request.
 *
 * @param asked `refused` is the token that the service has rejected, if any: another one is wanted, unless that one was
 * requested for the same reason a moment ago. `signal` ends the waiting for this caller
 * @returns what {@link SignedAccount.requestToken} does; a final failure for a few seconds without another request
 * @throws the reason of the signal once that is aborted
 */
export async function tokenFor(
	send: Sender,
	account: SignedAccount,
	asked: { refused?: string; signal?: AbortSignal } = {},
): Promise<IssuedToken | CallFailure> {
	asked.signal?.throwIfAborted();
	const memory = memoryOf(account.key);
	const { last } = memory;
	const now = performance.now();
	if (!memory.request && last && last.endsAt > now) {
		const isRefused = 'token' in last.result && last.result.token === asked.refused;
		if (!isRefused || now < memory.trustedUntil) return last.result;
		memory.trustedUntil = now + NO_NEW_REQUEST_MS;
		memory.last = undefined;
	}
	memory.request ??= renew(memory, account.requestToken(send));
	return await abortable(memory.request, asked.signal);
}

/** @returns the last tokens of an account: a response may hold one that was replaced while its call was in flight */
export function tokensOf(key: string): readonly string[] {
	return memoryOf(key).seen;
}

function memoryOf(key: string): TokenMemory {
	return memories.open(key, () => ({ seen: [], trustedUntil: 0 }));
}

/** Waits for a request and remembers its result, but for a failure that may pass. */
async function renew(
	memory: TokenMemory,
	request: Promise<IssuedToken | CallFailure>,
): Promise<IssuedToken | CallFailure> {
	try {
		const result = await request;
		if ('token' in result) {
			memory.seen = [...memory.seen, result.token].slice(-MAX_SEEN);
			memory.last = { result, endsAt: result.endsAt };
		} else if (outcomeOf(result).next === 'end') {
			memory.last = { result, endsAt: performance.now() + NO_NEW_REQUEST_MS };
		}
		return result;
	} finally {
		memory.request = undefined;
	}
}

const TIMEOUT_MS = 30_000;
/** More is no token. */
const MAX_BYTES = 64 * 1024;
const LONGEST_TOKEN = 8 * 1024;
/** The code of RFC 6749, 5.2, for a client that is known but may not use this API. */
const NOT_ALLOWED = /\binvalid_scope\b/;

interface TokenRequest extends Pick<Authorization, 'address'> {
	call: Pick<Call, 'path' | 'headers' | 'body' | 'skipSslCertificateValidation'> & {
		secrets: readonly string[];
	};
	/** @returns the token of a success; undefined where there is none */
	read(body: Record<string, unknown>): IssuedToken | undefined;
	/** Found in the text of a 400 that rejects the account. */
	rejectedBy: RegExp;
	words: TokenRequestWords;
}

/**
 * Requests a token. The request holds the secret, so a redirect is not followed.
 *
 * @returns the token, or why there is none
 */
export async function requestToken(
	send: Sender,
	{ address, call, read, rejectedBy, words }: TokenRequest,
): Promise<IssuedToken | CallFailure> {
	const result = await attemptCall(
		{ send, address, currentSecrets: () => [] },
		{ method: 'POST', ...call, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES, expects: 'record' },
	);
	if (result.kind !== 'response') {
		return { ...result, ofToken: { ...words, reason: reasonOf(result, rejectedBy) } };
	}
	const { status, body = {} } = result.response;
	const received = body as Record<string, unknown>;
	const issued = read(received);
	if (issued) return issued;
	const reason = received.IsAuthenticated === false ? 'rejected' : 'none';
	const said = readServiceMessage(received, call.secrets);
	return { kind: 'status', status, said, ofToken: { ...words, reason } };
}

function reasonOf(failure: CallFailure, rejectedBy: RegExp): NoTokenReason {
	const { text = '', isPage = false } = failure.said ?? {};
	// What a web page says is not the service's.
	if (failure.kind !== 'status' || isPage) return 'none';
	if (failure.status === 401) return 'rejected';
	if (failure.status === 403) return 'notAllowed';
	if (failure.status !== 400) return 'none';
	if (NOT_ALLOWED.test(text)) return 'notAllowed';
	return rejectedBy.test(text) ? 'rejected' : 'none';
}

/** @returns the token, undefined for none that a header can carry */
export function headerToken(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const token = value.trim();
	const isToken = token !== '' && token.length <= LONGEST_TOKEN;
	return isToken && firstUnsendable(token) === undefined ? token : undefined;
}
