import { sleep } from 'n8n-workflow';

import { parseRetryAfter } from '../values/retryAfter';
import type { AttemptEnd } from './concurrency/controller';
import { type Gate, LongPauseError } from './concurrency/gate';
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
 * Makes attempts at a call, each when the account's gate lets it start, until no other helps. Refusals are repeated for
 * as long as the call may wait, other causes at most three times.
 *
 * @param attemptOnce makes one attempt; `attempt` is undefined where another cannot help
 * @returns what the last attempt came to
 * @throws LongPauseError where the service's pause outlasts the call's patience before its first attempt; DeadlineError;
 * the reason of the signal once that is aborted; what `attemptOnce` throws
 */
export async function attemptUntilDone<T extends { attempt?: Attempt }>(
	gate: Gate,
	{ method, giveUpAt, deadline, signal }: Limits,
	attemptOnce: () => Promise<T>,
): Promise<T> {
	const waits = deadline === undefined ? signal : AbortSignal.timeout(Math.max(0, deadline - Date.now()));
	let last: T | undefined;
	for (let repeats = 0; ;) {
		const patience = { giveUpAt, signal: waits, isRepeat: last !== undefined };
		const call = await gate.enter(patience).catch((reason: unknown) => {
			if (reason instanceof LongPauseError && last) return undefined;
			if (waits !== signal && waits?.aborted) throw new DeadlineError('No turn came in time');
			throw reason;
		});
		if (!call) return last as T;
		try {
			last = await attemptOnce();
		} finally {
			gate.leave(call, endOf(last?.attempt, new Date()));
		}
		const { attempt } = last;
		if (!attempt || signal?.aborted) return last;
		if (attempt.kind === 'status' && isRefusal(attempt)) {
			if (Date.now() >= giveUpAt) return last;
			continue;
		}
		const wait = waitBeforeRetry(method, attempt, repeats++, Math.random());
		if (wait === undefined || Date.now() + wait >= (deadline ?? Number.POSITIVE_INFINITY)) return last;
		await sleep(wait, signal);
	}
}

const NO_SIGN_OF_LOAD: AttemptEnd = { kind: 'cancelled' };

function endOf(attempt: Attempt | undefined, now: Date): AttemptEnd {
	if (!attempt) return NO_SIGN_OF_LOAD;
	if (attempt.kind === 'connection') return { kind: 'faulty' };
	if (isRefusal(attempt)) return { kind: 'refused', pauseMs: parseRetryAfter(attempt.retryAfter, now) };
	return { kind: [502, 503, 504].includes(attempt.status) ? 'faulty' : 'answered' };
}
