import { parseRetryAfter } from '../values/retryAfter';

export interface AnsweredAttempt {
	kind: 'status';
	status: number;
	retryAfter?: string;
}

/** How one attempt ended, seen from the retry rule. */
export type Attempt =
	| AnsweredAttempt
	/** `refused`: no connection was made. `broken`: it broke or timed out, so the service may have acted. */
	| { kind: 'connection'; reached: 'refused' | 'broken' };

const MAX_RETRIES = 3;
const FIRST_WAIT_MS = 500;
const SAFE_TO_REPEAT = [502, 503, 504];

/**
 * Whether the service refused a call for now, without acting: 429, or 503 with `Retry-After`. Any method may be repeated
 * then; the account's limiter decides when.
 */
export function isRefusal({ status, retryAfter }: AnsweredAttempt): boolean {
	return status === 429 || (status === 503 && parseRetryAfter(retryAfter, new Date()) !== undefined);
}

/**
 * Whether and when to repeat a call that was not refused for now.
 *
 * A GET is repeated after 502, 503, 504, time-outs and broken connections. Other methods change something, so only where
 * the service cannot have acted: connection refused.
 *
 * @param retries how many repeats have been made, from 0
 * @param random from 0 up to, not including, 1: spreads the waits of parallel calls
 * @returns milliseconds to wait before the next attempt; undefined to give up
 */
export function waitBeforeRetry(
	method: string,
	attempt: Attempt,
	retries: number,
	random: number,
): number | undefined {
	if (retries >= MAX_RETRIES || !mayRepeat(method, attempt)) return undefined;
	return FIRST_WAIT_MS * 2 ** retries * (0.5 + random / 2);
}

function mayRepeat(method: string, attempt: Attempt): boolean {
	if (attempt.kind === 'connection') return method === 'GET' || attempt.reached === 'refused';
	return method === 'GET' && SAFE_TO_REPEAT.includes(attempt.status);
}
