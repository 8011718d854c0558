import { sleep } from 'n8n-workflow';

import { CallError, isRateLimited } from '../errors/callFault';
import type { CallQueue, Waiting } from './concurrency/callQueue';
import type { CallEnd } from './concurrency/limiter';
import type { Outcome } from './response';
import { isTransient, waitBeforeRetry } from './retry';

/** How long a call may take, beyond what an attempt takes. */
interface Limits extends Pick<Waiting, 'giveUpAt' | 'signal'> {
	method: string;
	deadline?: number;
}

/**
 * Makes attempts at a call, each when the account's limiter lets it start, until no other helps. A rate-limited call is
 * retried for as long as it may wait, another at most three times.
 *
 * @param attemptOnce makes one attempt
 * @returns how the last attempt ended
 * @throws CallError where the service's pause outlasts the call before its first attempt, and at the deadline; the reason
 * of the signal once that is aborted
 */
export async function attemptUntilDone(
	queue: CallQueue,
	{ method, giveUpAt, deadline, signal }: Limits,
	attemptOnce: () => Promise<Outcome>,
): Promise<Outcome> {
	const waits =
		deadline === undefined
			? signal
			: AbortSignal.timeout(Math.ceil(Math.max(0, deadline - performance.now())));
	let last: Outcome | undefined;
	for (let retries = 0; ;) {
		// Polls and the editor's lists have a budget; only runs can be cancelled.
		const waiting = { giveUpAt, signal: waits, isUrgent: !signal, isRepeat: last !== undefined };
		const slot = await queue.acquire(waiting).catch((reason: unknown) => {
			const isLate = waits !== signal && waits?.aborted;
			if (last && (isLate || reason instanceof CallError)) return undefined;
			throw isLate ? new CallError({ kind: 'waited' }) : reason;
		});
		if (!slot) return last as Outcome;
		let end: CallEnd = { kind: 'cancelled' };
		try {
			last = await attemptOnce();
			end = endOf(last);
		} finally {
			queue.release(slot, end);
		}
		if (last.kind === 'response' || signal?.aborted) return last;
		if (isRateLimited(last)) {
			if (performance.now() >= giveUpAt) return last;
			continue;
		}
		const wait = waitBeforeRetry(method, last, retries++, Math.random());
		if (wait === undefined || performance.now() + wait >= (deadline ?? Number.POSITIVE_INFINITY)) return last;
		if (!queue.retries.claim(performance.now())) return { ...last, isOverBudget: true };
		await sleep(wait, signal);
	}
}

function endOf(outcome: Outcome): CallEnd {
	if (outcome.kind === 'response') return { kind: 'responded' };
	if (outcome.kind === 'status' && isRateLimited(outcome))
		return { kind: 'throttled', status: outcome.status, pauseMs: outcome.retryAfterMs };
	return { kind: isTransient(outcome) ? 'failed' : 'responded' };
}
