import { sleep } from 'n8n-workflow';

import { CallError, isRateLimited } from '../errors/callFault';
import type { CallQueue } from './concurrency/callQueue';
import type { CallEnd } from './concurrency/limiter';
import { PauseError } from './concurrency/pauseError';
import type { Outcome } from './exchange';
import { isTransient, waitBeforeRetry } from './retry';

interface Limits {
	method: string;
	/** Milliseconds since 1970 after which a rate-limited call is not retried. */
	giveUpAt: number;
	/** Milliseconds since 1970 by which any retry has to begin. */
	deadline?: number;
	signal?: AbortSignal;
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
	const waits = deadline === undefined ? signal : AbortSignal.timeout(Math.max(0, deadline - Date.now()));
	let last: Outcome | undefined;
	for (let retries = 0; ;) {
		// Polls and the editor's lists have a budget; only runs can be cancelled.
		const waiting = { giveUpAt, signal: waits, isUrgent: !signal, isRepeat: last !== undefined };
		const slot = await queue.acquire(waiting).catch((reason: unknown) => {
			if (reason instanceof PauseError) {
				if (last) return undefined;
				throw new CallError({ kind: 'pause', status: reason.status, pauseMs: reason.pauseMs });
			}
			if (waits !== signal && waits?.aborted) throw new CallError({ kind: 'connection', code: 'ETIMEDOUT' });
			throw reason;
		});
		if (!slot) return last as Outcome;
		try {
			last = await attemptOnce();
		} finally {
			queue.release(slot, endOf(last));
		}
		if (last.kind === 'response' || last.kind === 'error' || signal?.aborted) return last;
		if (isRateLimited(last)) {
			if (Date.now() >= giveUpAt) return last;
			continue;
		}
		const wait = waitBeforeRetry(method, last, retries++, Math.random());
		if (wait === undefined || Date.now() + wait >= (deadline ?? Number.POSITIVE_INFINITY)) return last;
		if (last.kind === 'status' && !queue.claimRetry()) return last;
		await sleep(wait, signal);
	}
}

function endOf(outcome: Outcome | undefined): CallEnd {
	if (!outcome || outcome.kind === 'error') return { kind: 'cancelled' };
	if (outcome.kind === 'response') return { kind: 'responded' };
	if (outcome.kind === 'status' && isRateLimited(outcome))
		return { kind: 'throttled', status: outcome.status, pauseMs: outcome.retryAfterMs };
	return { kind: isTransient(outcome) ? 'failed' : 'responded' };
}
