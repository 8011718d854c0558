import sumBy from 'lodash/sumBy';

import { type CallFault, certificateProblem, mayHaveActed } from '../errors/callFault';

/** For calls that were not rate-limited: one that was is retried for as long as it may wait. */
const POLICY = {
	maxRetries: 3,
	firstWaitMs: 500,
	/** The service was not reached, or not in time. */
	statuses: [502, 503, 504],
};

/**
 * Whether and when to retry a call: where another attempt may go better, and one that changes something only where the
 * service cannot have acted.
 *
 * @param retries how many retries have been made, from 0
 * @param random from 0 up to, not including, 1: spreads the waits of parallel calls
 * @returns milliseconds to wait before the next attempt; undefined to give up
 */
export function waitBeforeRetry(
	method: string,
	fault: CallFault,
	retries: number,
	random: number,
): number | undefined {
	const isSafe = method === 'GET' || !mayHaveActed(fault);
	if (retries >= POLICY.maxRetries || !isSafe || !isTransient(fault)) return undefined;
	return POLICY.firstWaitMs * 2 ** retries * (0.5 + random / 2);
}

/** Whether another attempt may go better, as far as the service's load tells. */
export function isTransient(fault: CallFault): boolean {
	if (fault.kind === 'connection') return certificateProblem(fault.code) === undefined;
	return fault.kind === 'status' && !fault.proxy && POLICY.statuses.includes(fault.status);
}

const FREE_RETRIES = 10;
const RETRIES_PER_CALL = 0.2;
const SECONDS = 60;

/** Repeats of failed calls: at most a fifth of the calls of the last minute, but ten in any case (after AWS's retry quota). */
export class RetryBudget {
	/** Of the last minute, to the second. */
	private readonly seconds: Array<{ second: number; calls: number; retries: number }> = [];

	/** Notes a call that is made for the first time. */
	called(now: number): void {
		this.at(now).calls++;
	}

	/** @returns whether a failed call may be repeated; if so, the repeat counts */
	claim(now: number): boolean {
		const current = this.at(now);
		const most = Math.max(FREE_RETRIES, RETRIES_PER_CALL * sumBy(this.seconds, 'calls'));
		if (sumBy(this.seconds, 'retries') + 1 > most) return false;
		current.retries++;
		return true;
	}

	private at(now: number) {
		const second = Math.floor(now / 1000);
		while ((this.seconds[0]?.second ?? second) <= second - SECONDS) this.seconds.shift();
		const last = this.seconds.at(-1);
		if (last?.second === second) return last;
		const current = { second, calls: 0, retries: 0 };
		this.seconds.push(current);
		return current;
	}
}
