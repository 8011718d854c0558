import { type CallFailure, askedPauseMs } from '../errors/failure';
import { type Outcome, outcomeOf } from '../errors/failureTable';

/** Most retries of a call that may have reached the service. */
const MAX_RETRIES = 3;
const FIRST_RETRY_AFTER_MS = 500;
const LONGEST_RETRY_AFTER_MS = 8_000;
/** Shortest wait before retrying a call that the service did not accept. The limiter may make it longer. */
const NOT_ACCEPTED_RETRY_AFTER_MS = 80;

/**
 * Decides when one call is retried. `errors/failureTable.ts` says for each failure whether a retry is allowed at all (`next`); this
 * class counts the retries and says how long to wait; `queue.ts` waits, and ends a call that has waited for too long. Sending once more
 * with another token after a 401 is not counted here: `auth/account.ts` does that within one attempt.
 */
export class Retries {
	private made = 0;
	/** Retries of attempts that may have reached the service. */
	private risked = 0;

	/** @param isSafe whether the call changes nothing, so that making it twice does no harm */
	constructor(private readonly isSafe: boolean) {}

	/**
	 * @param failure of the last attempt
	 * @returns milliseconds to wait before the next attempt; undefined if there is to be none
	 */
	waitAfter(failure: CallFailure): number | undefined {
		const { next, limiter } = outcomeOf(failure);
		const retries = this.made;
		this.made++;
		switch (next) {
			case 'end':
				return undefined;
			case 'retryWhenReady':
				return askedPauseMs(failure) ?? leastWait(limiter);
			case 'retryIfSafe':
				if (!this.isSafe || this.risked === MAX_RETRIES) return undefined;
				this.risked++;
				return backoff(retries);
		}
	}
}

/** A call that is throttled without a time need not wait: the limiter sees to it. */
function leastWait(limiter: Outcome['limiter']): number {
	return limiter === 'throttled' ? 0 : NOT_ACCEPTED_RETRY_AFTER_MS;
}

/** Longer after each retry, and spread at random, so that parallel calls do not come back together. */
function backoff(retries: number): number {
	const doubled = FIRST_RETRY_AFTER_MS * 2 ** retries;
	const longest = Math.min(LONGEST_RETRY_AFTER_MS, doubled);
	const jitter = 0.5 + Math.random() / 2;
	return longest * jitter;
}
