import { type CallFailure, isRateLimited, isTlsFailure, mayHaveActed } from '../errors/callFailure';
import type { CallEnd } from './concurrency/limiter';
import type { CallOutcome } from './response';

/** The service was not reached, or not in time, or has no time for it. */
const TRANSIENT = [429, 502, 503, 504];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/**
 * The one rule of retries. What cannot have acted waits and is sent later, whatever it waits for: a token, a throttled
 * account, a service or proxy that nobody can connect to. What may have acted is repeated only where it changes nothing.
 * What the account or the service refuses has ended.
 *
 * @param isSafe whether the call changes nothing
 * @returns whether it waits to be sent again, is repeated a few times, or has ended
 */
export function stepAfter(failure: CallFailure, isSafe: boolean): 'wait' | 'repeat' | 'end' {
	if (!isTransient(failure)) return 'end';
	if (!mayHaveActed(failure)) return 'wait';
	return isSafe ? 'repeat' : 'end';
}

/** @returns what an attempt tells the account's limiter; undefined is one that was given up on this side */
export function callEndOf(outcome?: CallOutcome): CallEnd {
	// n8n breaks off the calls of a stopped execution, which tells nothing about the service.
	const isStopped = outcome?.kind === 'connection' && outcome.code === 'ERR_CANCELED';
	if (!outcome || isStopped) return { kind: 'cancelled' };
	if (outcome.kind === 'response' || !isTransient(outcome)) return { kind: 'responded' };
	if (outcome.kind === 'status' && isRateLimited(outcome))
		return { kind: 'throttled', status: outcome.status, pauseMs: outcome.retryAfterMs };
	return { kind: mayHaveActed(outcome) ? 'failed' : 'unreachable' };
}

/**
 * @param times how often it has been sent again
 * @returns milliseconds before a call is sent again: as the service asks, else longer each time and spread over parallel calls;
 * 0 for one that is throttled without a time, which the limiter sees to
 */
export function waitBeforeRetry(failure: CallFailure, times: number): number {
	if (failure.kind === 'status' && isRateLimited(failure)) return failure.retryAfterMs ?? 0;
	return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times) * (0.5 + Math.random() / 2);
}

/** Whether another attempt may go better, as far as the service's load tells. */
function isTransient(failure: CallFailure): boolean {
	if (failure.kind === 'connection') return !isTlsFailure(failure.code);
	return failure.kind === 'status' && TRANSIENT.includes(failure.status);
}

const FREE_RETRIES = 10;
const RETRIES_PER_CALL = 0.2;
const MINUTE_MS = 60_000;

/** Repeats of calls that may have reached the service: at most a fifth of the calls of the last minute, but ten in any case (after AWS's retry quota). */
export class RetryBudget {
	/** Older calls count less. */
	private calls = 0;
	private retries = 0;
	private countedAt = 0;

	/** Notes a call that is made for the first time. */
	called(now: number): void {
		this.fade(now);
		this.calls++;
	}

	/** @returns whether a failed call may be repeated; if so, the repeat counts */
	claim(now: number): boolean {
		this.fade(now);
		if (this.retries + 1 > Math.max(FREE_RETRIES, RETRIES_PER_CALL * this.calls)) return false;
		this.retries++;
		return true;
	}

	private fade(now: number): void {
		const left = Math.exp((this.countedAt - now) / MINUTE_MS);
		Object.assign(this, { calls: left * this.calls, retries: left * this.retries, countedAt: now });
	}
}
