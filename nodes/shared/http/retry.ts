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
