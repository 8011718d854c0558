import { type CallFault, certificateComplaint, mayHaveActed } from '../errors/callFault';

const MAX_RETRIES = 3;
const FIRST_WAIT_MS = 500;
const TRANSIENT_STATUSES = [502, 503, 504];

/**
 * Whether and when to retry a call that was not rate-limited: after 502, 503, 504, time-outs and broken connections, and
 * a call that changes something only where the service cannot have acted.
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
	if (retries >= MAX_RETRIES || !canRetry(method, fault)) return undefined;
	return FIRST_WAIT_MS * 2 ** retries * (0.5 + random / 2);
}

function canRetry(method: string, fault: CallFault): boolean {
	return isTransient(fault) && (method === 'GET' || !mayHaveActed(fault));
}

/** Whether another attempt may go better, as far as the service's load tells. */
export function isTransient(fault: CallFault): boolean {
	if (fault.kind === 'connection') return certificateComplaint(fault.code) === undefined;
	return fault.kind === 'status' && !fault.proxy && TRANSIENT_STATUSES.includes(fault.status);
}
