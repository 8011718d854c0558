import { sleep } from 'n8n-workflow';

import { parseRetryAfter } from '../values/retryAfter';
import type { CallQueue } from './concurrency/callQueue';
import type { CallEnd } from './concurrency/limiter';
import { PauseError } from './concurrency/pauseError';
import { DeadlineError } from '../transport/deadline';
import { type Attempt, isRefusal, waitBeforeRetry } from './retry';

interface Limits {
	method: string;
	/** Milliseconds since 1970 after which a call that the service refuses for now is not repeated. */
	giveUpAt: number;
	/** Milliseconds since 1970 by which any repeat has to begin. */
	deadline?: number;
	signal?: AbortSignal;
}

/**
 * Makes attempts at a call, each when the account's limiter lets it start, until no other helps. Refusals are repeated for
 * as long as the call may wait, other causes at most three times.
 *
 * @param attemptOnce makes one attempt; `attempt` is undefined where another cannot help
 * @returns what the last attempt came to
 * @throws PauseError where the service's pause outlasts the call's patience before its first attempt; DeadlineError;
 * the reason of the signal once that is aborted; what `attemptOnce` throws
 */
export async function attemptUntilDone<T extends { attempt?: Attempt }>(
	queue: CallQueue,
	{ method, giveUpAt, deadline, signal }: Limits,
	attemptOnce: () => Promise<T>,
): Promise<T> {
	const waits = deadline === undefined ? signal : AbortSignal.timeout(Math.max(0, deadline - Date.now()));
	let last: T | undefined;
	for (let repeats = 0; ;) {
		// Polls and the editor's lists have a budget; only runs can be cancelled.
		const waiting = { giveUpAt, signal: waits, isUrgent: !signal, isRepeat: last !== undefined };
		const slot = await queue.acquire(waiting).catch((reason: unknown) => {
			if (reason instanceof PauseError && last) return undefined;
			if (waits !== signal && waits?.aborted) throw new DeadlineError('No turn came in time');
			throw reason;
		});
		if (!slot) return last as T;
		try {
			last = await attemptOnce();
		} finally {
			queue.release(slot, endOf(last?.attempt, new Date()));
		}
		const { attempt } = last;
		if (!attempt || signal?.aborted) return last;
		if (attempt.kind === 'status' && isRefusal(attempt)) {
			if (Date.now() >= giveUpAt) return last;
			continue;
		}
		const wait = waitBeforeRetry(method, attempt, repeats++, Math.random());
		if (wait === undefined || Date.now() + wait >= (deadline ?? Number.POSITIVE_INFINITY)) return last;
		if (attempt.kind === 'status' && !queue.claimRetry()) return last;
		await sleep(wait, signal);
	}
}

const NO_SIGN_OF_LOAD: CallEnd = { kind: 'cancelled' };

function endOf(attempt: Attempt | undefined, now: Date): CallEnd {
	if (!attempt) return NO_SIGN_OF_LOAD;
	if (attempt.kind === 'connection') return { kind: 'failed' };
	const { status, retryAfter } = attempt;
	if (isRefusal(attempt)) return { kind: 'throttled', status, pauseMs: parseRetryAfter(retryAfter, now) };
	return { kind: [502, 503, 504].includes(status) ? 'failed' : 'responded' };
}
