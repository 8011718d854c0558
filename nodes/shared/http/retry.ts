import { parseRetryAfter } from '../values/retryAfter';

/** How one attempt ended, seen from the retry rule. */
export type Attempt =
	| { kind: 'status'; status: number; retryAfter?: string }
	/** `refused`: no connection was made. `broken`: it broke or timed out, so the service may have acted. */
	| { kind: 'connection'; reached: 'refused' | 'broken' };

export const MAX_RETRIES = 3;
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const SAFE_TO_REPEAT = [429, 502, 503, 504];

/**
 * Whether and when to repeat a call.
 *
 * A GET is repeated after 429, 502, 503, 504, time-outs and broken connections. Other methods change something, so only
 * where the service cannot have acted: 429, 503 with `Retry-After`, connection refused.
 *
 * @param retries how many repeats have been made, from 0
 * @param random from 0 up to, not including, 1: spreads the waits of parallel calls
 * @param now for a `Retry-After` that is a date
 * @returns milliseconds to wait before the next attempt, at most 60,000; undefined to give up
 */
export function waitBeforeRetry(
	method: string,
	attempt: Attempt,
	retries: number,
	random: number,
	now: Date,
): number | undefined {
	if (retries >= MAX_RETRIES) return undefined;
	const asked = attempt.kind === 'status' ? parseRetryAfter(attempt.retryAfter, now) : undefined;
	if (!mayRepeat(method, attempt, asked !== undefined)) return undefined;
	const backoff = FIRST_WAIT_MS * 2 ** retries * (0.5 + random / 2);
	return Math.min(Math.max(asked ?? 0, backoff), MAX_WAIT_MS);
}

function mayRepeat(method: string, attempt: Attempt, hasRetryAfter: boolean): boolean {
	if (attempt.kind === 'connection') return method === 'GET' || attempt.reached === 'refused';
	if (method === 'GET') return SAFE_TO_REPEAT.includes(attempt.status);
	return attempt.status === 429 || (attempt.status === 503 && hasRetryAfter);
}
