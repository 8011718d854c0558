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

/** What a request for a token came to: the token, or why there is none. */
export type TokenResult = IssuedToken | CallFailure;

/** An account of a service, as its credential describes it now. */
export interface SignedAccount extends Pick<Authorization, 'address'> {
	readonly secrets: readonly string[];
	/** Hash of what a token belongs to: credential type, addresses, account and secret. */
	readonly key: string;
	/** Requests a token once. The request contains the secret. */
	requestToken(send: Sender): Promise<TokenResult>;
}

/** What this process remembers of an account's tokens. */
interface TokenMemory {
	/** What the last request came to, and until when that counts. */
	last?: { result: TokenResult; endsAt: number };
	/** The last tokens that were issued. */
	seen: string[];
	/** The request that is under way. */
	request?: Promise<TokenResult>;
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
): Promise<TokenResult> {
	const { refused, signal } = asked;
	signal?.throwIfAborted();
	const memory = memoryOf(account.key);
	if (!memory.request) {
		const known = knownResult(memory, refused);
		if (known) return known;
		memory.request = renew(memory, account.requestToken(send));
	}
	return await abortable(memory.request, signal);
}

/** @returns the last result while it counts: not that of a token that was refused, unless it has just replaced another one */
function knownResult(memory: TokenMemory, refused: string | undefined): TokenResult | undefined {
	const { last } = memory;
	const now = performance.now();
	if (!last || last.endsAt <= now) return undefined;
	const { result } = last;
	const isRefused = 'token' in result && result.token === refused;
	if (!isRefused || now < memory.trustedUntil) return result;
	memory.trustedUntil = now + NO_NEW_REQUEST_MS;
	memory.last = undefined;
	return undefined;
}

/** @returns the last tokens of an account: a response may hold one that was replaced while its call was in flight */
export function tokensOf(key: string): readonly string[] {
	return memoryOf(key).seen;
}

function memoryOf(key: string): TokenMemory {
	return memories.open(key, () => ({ seen: [], trustedUntil: 0 }));
}

/** Waits for a request and remembers its result, but for a failure that may pass. */
async function renew(memory: TokenMemory, request: Promise<TokenResult>): Promise<TokenResult> {
	try {
		const result = await request;
		if ('token' in result) {
			const seen = memory.seen.concat(result.token);
			memory.seen = seen.slice(-MAX_SEEN);
			memory.last = { result, endsAt: result.endsAt };
		} else if (outcomeOf(result).next === 'end') {
			const endsAt = performance.now() + NO_NEW_REQUEST_MS;
			memory.last = { result, endsAt };
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

interface TokenRequest {
	/** Of what issues tokens. */
	address: string;
	call: Pick<Call, 'path' | 'headers' | 'body' | 'secrets' | 'skipSslCertificateValidation'>;
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
export async function requestToken(send: Sender, request: TokenRequest): Promise<TokenResult> {
	const { address, call, words } = request;
	const result = await attemptCall(
		{ send, address, currentSecrets: () => [] },
		{ method: 'POST', ...call, timeout: TIMEOUT_MS, maxBytes: MAX_BYTES, expects: 'record' },
	);
	if (result.kind !== 'response') {
		const reason = reasonOf(result, request.rejectedBy);
		return { ...result, ofToken: { ...words, reason } };
	}
	const { status } = result.response;
	const body = result.response.body as Record<string, unknown>;
	const issued = request.read(body);
	if (issued) return issued;
	const reason = body.IsAuthenticated === false ? 'rejected' : 'none';
	const said = readServiceMessage(body, call.secrets ?? []);
	return { kind: 'status', status, said, ofToken: { ...words, reason } };
}

function reasonOf(failure: CallFailure, rejectedBy: RegExp): NoTokenReason {
	// What a web page says is not the service's.
	if (failure.kind !== 'status' || failure.said?.isPage) return 'none';
	const text = failure.said?.text ?? '';
	switch (failure.status) {
		case 400:
			return reasonIn(text, rejectedBy);
		case 401:
			return NOT_ALLOWED.test(text) ? 'notAllowed' : 'rejected';
		case 403:
			return 'notAllowed';
		default:
			return 'none';
	}
}

/** @param text of a 400 */
function reasonIn(text: string, rejectedBy: RegExp): NoTokenReason {
	if (NOT_ALLOWED.test(text)) return 'notAllowed';
	return rejectedBy.test(text) ? 'rejected' : 'none';
}

/** @returns the token, undefined for none that a header can carry */
export function headerToken(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const token = value.trim();
	if (token === '' || token.length > LONGEST_TOKEN) return undefined;
	const isSendable = firstUnsendable(token) === undefined;
	return isSendable ? token : undefined;
}
