import sumBy from 'lodash/sumBy';

import {
	type CallFault,
	type TokenError,
	certificateProblem,
	isRateLimited,
	mayHaveActed,
} from '../errors/callFault';
import type { CallEnd } from './concurrency/limiter';
import type { Outcome } from './response';

/** Why an attempt was no success; without a token there was no call. */
export type Failed =
	| CallFault
	| ({ kind: 'noToken'; error: TokenError } & Pick<CallFault, 'neededMs' | 'isUnsent' | 'isOverBudget'>);

/** How an attempt ended. */
export type Attempt = Exclude<Outcome, CallFault> | Failed;

/** What becomes of a call after an attempt: it waits to be sent again, is repeated a few times, or has ended. */
type Step = 'wait' | 'repeat' | 'end';

/** The service was not reached, or not in time. */
const TRANSIENT = [502, 503, 504];
/** Repeats of a call that may have reached the service. */
export const MAX_REPEATS = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;

/**
 * The one rule of retries. What cannot have acted waits and is sent later, whatever it waits for: a token, a throttled
 * account, a service or proxy that nobody can connect to. What may have acted is repeated only where it changes nothing.
 * What the account or the service refuses has ended.
 *
 * @param isSafe whether the call changes nothing
 */
export function stepAfter(attempt: Failed, isSafe: boolean): Step {
	const fault = faultOf(attempt);
	if (!fault) return 'end';
	if (isRateLimited(fault) || isUnreachable(fault)) return 'wait';
	if (!isTransient(fault)) return 'end';
	if (attempt.kind === 'noToken') return 'wait';
	return isSafe || !mayHaveActed(fault) ? 'repeat' : 'end';
}

/** @returns what an attempt tells the account's limiter */
export function callEndOf(attempt: Attempt): CallEnd {
	if (attempt.kind === 'response') return { kind: 'responded' };
	const fault = faultOf(attempt);
	if (fault?.kind === 'status' && isRateLimited(fault))
		return { kind: 'throttled', status: fault.status, pauseMs: fault.retryAfterMs };
	if (stepAfter(attempt, false) === 'wait') return { kind: 'unreachable' };
	return { kind: fault && isTransient(fault) ? 'failed' : 'responded' };
}

/**
 * @param times how often it has been sent again
 * @returns milliseconds before a call is sent again: as the service asks, else longer each time and spread over parallel calls;
 * 0 for one that is throttled without a time, which the limiter sees to
 */
export function waitBeforeRetry(attempt: Failed, times: number): number {
	const fault = faultOf(attempt);
	if (fault?.kind === 'status' && isRateLimited(fault)) return fault.retryAfterMs ?? 0;
	return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times) * (0.5 + Math.random() / 2);
}

/** @returns why there was no token or no success; undefined where the account was refused a token */
function faultOf(attempt: Failed): CallFault | undefined {
	return attempt.kind === 'noToken' ? attempt.error.fault : attempt;
}

/** Nothing was sent, for nothing listens at the address or the proxy, or its host is not known. */
function isUnreachable(fault: CallFault): boolean {
	return fault.kind === 'connection' && fault.code !== 'EPROTO' && isTransient(fault) && !mayHaveActed(fault);
}

/** Whether another attempt may go better, as far as the service's load tells. */
function isTransient(fault: CallFault): boolean {
	if (fault.kind === 'connection') return certificateProblem(fault.code) === undefined;
	return fault.kind === 'status' && !fault.proxy && TRANSIENT.includes(fault.status);
}

const FREE_RETRIES = 10;
const RETRIES_PER_CALL = 0.2;
const SECONDS = 60;

/** Repeats of calls that may have reached the service: at most a fifth of the calls of the last minute, but ten in any case (after AWS's retry quota). */
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
