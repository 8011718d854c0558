import type { CallFailure } from '../errors/failure';
import { outcomeOf } from '../errors/failureTable';

/*
 * When a call is retried: `errors/failureTable.ts` says whether, by the way in which it failed; this file how often and after
 * how long; `queue.ts` does it.
 */

/** Most retries of a call that may have reached the service. */
export const MAX_RETRIES = 3;
const FIRST_RETRY_AFTER_MS = 500;
const LONGEST_RETRY_AFTER_MS = 8_000;
/** Before a call is tried again that the service did not accept: the limiter sees to the rest. */
const NOT_ACCEPTED_RETRY_AFTER_MS = 80;

/** @returns the milliseconds that the service asks to wait; undefined if it names no time */
export function askedPauseMs(failure: CallFailure): number | undefined {
	return failure.kind === 'status' ? failure.retryAfterMs : undefined;
}

/**
 * @param retries that have been made
 * @returns milliseconds before a call is retried: as the service asks, else longer each time and spread over parallel calls;
 * 0 for one that is throttled without a time, which the limiter sees to
 */
export function waitBeforeRetry(failure: CallFailure, retries: number): number {
	const { next, limiter } = outcomeOf(failure);
	if (next === 'retryIfSafe') {
		const longest = Math.min(LONGEST_RETRY_AFTER_MS, FIRST_RETRY_AFTER_MS * 2 ** retries);
		return longest * (0.5 + Math.random() / 2);
	}
	return askedPauseMs(failure) ?? (limiter === 'throttled' ? 0 : NOT_ACCEPTED_RETRY_AFTER_MS);
}
