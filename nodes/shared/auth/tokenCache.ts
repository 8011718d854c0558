import { createHash } from 'crypto';

import { failureOfStatus } from '../errors/failure';
import { readServiceMessage } from '../errors/serviceMessage';
import { TokenError } from '../errors/tokenError';
import { parseRetryAfter } from '../values/retryAfter';
import type { TokenResponse } from './tokenRequest';

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
	now: () => number;
	issue: () => Promise<IssuedToken>;
}

interface Session {
	pending?: Promise<IssuedToken>;
	issued?: IssuedToken & { at: number };
	refused?: { reason: Error; at: number };
}

/** A caller without a token shares one that is this young: n8n may still be storing it. */
const SHARED_FOR_MS = 30_000;
/** A refused secret is not tried again sooner: 200 items get one answer from one request. */
const REFUSED_FOR_MS = 5_000;
const MAX_ACCOUNTS = 500;

/** How an account's refusal is put into words. */
interface RefusalWords {
	/** The account itself was refused. */
	refused: string;
	refusedHint: string;
	/** The address answered, but not with a token. */
	none: string;
	noneHint: string;
}

/**
 * @param answer what came instead of a token
 * @param secrets never to be shown, should the service repeat them
 * @param isRefused whether the answer is known to be about the account, besides by its status
 */
export function tokenRefusal(
	{ statusCode, headers, body }: TokenResponse,
	secrets: readonly string[],
	words: RefusalWords,
	isRefused = [400, 401, 403].includes(statusCode),
): TokenError {
	const { text } = readServiceMessage(body);
	const said = secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
	const [happened, hint] = isRefused ? [words.refused, words.refusedHint] : [words.none, words.noneHint];
	return new TokenError(
		`${happened} (${statusCode})`,
		`${said ? `The service says: ${said}. ` : ''}${hint}`,
		true,
		isRefused
			? { cause: 'credential-invalid' }
			: (failureOfStatus(statusCode, parseRetryAfter(headers['retry-after'], new Date())) ?? {
					cause: 'configuration-invalid',
				}),
	);
}

/**
 * Shares token requests between everything in this process that uses the same account: however many items and nodes
 * ask at the same moment, one request goes out (second document, 'Authentication', 2).
 *
 * @returns a function from a {@link TokenRequest} to the token to use. Rejects with what `issue` rejects with.
 */
export function createTokenCache(): (request: TokenRequest) => Promise<IssuedToken> {
	const sessions = new Map<string, Session>();

	return async ({ account, rejected, now, issue }) => {
		const key = createHash('sha256').update(JSON.stringify(account)).digest('base64');
		const session = sessions.get(key) ?? {};
		sessions.delete(key);
		sessions.set(key, session);
		if (sessions.size > MAX_ACCOUNTS) sessions.delete(sessions.keys().next().value as string);

		const { issued, refused } = session;
		if (session.pending) return await session.pending;
		if (refused && now() - refused.at < REFUSED_FOR_MS) throw refused.reason;
		const stillGood = issued && issued.expiresAt > now() && issued.token !== rejected;
		if (stillGood && (rejected !== '' || now() - issued.at < SHARED_FOR_MS)) return issued;

		session.pending = issue()
			.then(
				(token) => {
					session.issued = { ...token, at: now() };
					session.refused = undefined;
					return token;
				},
				async (reason: unknown) => {
					if (reason instanceof TokenError && reason.wasAnswered) session.refused = { reason, at: now() };
					return await Promise.reject(reason);
				},
			)
			.finally(() => (session.pending = undefined));
		return await session.pending;
	};
}
