import type { CallQueue, Waiting } from './concurrency/callQueue';
import { type Attempt, MAX_REPEATS, stepAfter, waitBeforeRetry } from './retry';

/** How long a call may take, beyond what an attempt takes. */
interface Limits extends Pick<Waiting, 'giveUpAfterMs' | 'openedAt' | 'signal'> {
	/** Whether the call changes nothing. */
	isSafe: boolean;
	/** On the clock of `performance.now()`. */
	deadline?: number;
}

/**
 * Makes attempts at a call, each when the account lets it start, until no other helps ({@link stepAfter}).
 *
 * @param attemptOnce makes one attempt
 * @returns how the last attempt ended; where there was none, why the call was not sent
 * @throws the reason of the signal once that is aborted
 */
export async function attemptUntilDone(
	queue: CallQueue,
	{ isSafe, deadline = Infinity, signal, ...limits }: Limits,
	attemptOnce: () => Promise<Attempt>,
): Promise<Attempt> {
	const leftMs = Math.ceil(Math.max(0, deadline - performance.now()));
	const overtime = leftMs === Infinity ? undefined : AbortSignal.timeout(leftMs);
	// Polls and the editor's lists have a budget; only runs can be cancelled.
	const call: Waiting = { ...limits, signal: overtime ?? signal, isUrgent: !signal };
	for (let [sent, repeats] = [0, 0]; ; sent++) {
		const turn = await queue.acquire(call).catch((reason: unknown) => {
			if (overtime?.aborted) return call.last ?? ({ kind: 'waited' } as const);
			throw reason;
		});
		if ('kind' in turn) return turn;
		let attempt: Attempt | undefined;
		try {
			attempt = await attemptOnce();
		} finally {
			queue.release(turn, attempt);
		}
		if (attempt.kind === 'response' || signal?.aborted) return attempt;
		const step = stepAfter(attempt, isSafe);
		const now = performance.now();
		call.notBefore = now + waitBeforeRetry(attempt, sent);
		call.last = attempt;
		if (step === 'wait') call.heldSince ??= now;
		else if (step === 'end' || repeats++ === MAX_REPEATS || call.notBefore >= deadline) return attempt;
		else if (!queue.budget.claim(now)) return { ...attempt, isOverBudget: true };
	}
}
