import { sleep } from 'n8n-workflow';

import { CallError, isRateLimited } from '../errors/callFault';
import type { CallQueue, Waiting } from './concurrency/callQueue';
import type { CallEnd } from './concurrency/limiter';
import { type Authorization, type Call, exchange } from './exchange';
import { type Outcome, type ServiceResponse, byDeadline } from './response';
import { isTransient, waitBeforeRetry } from './retry';

/** The calls of one account. */
export interface Client {
	queue: CallQueue;
	/** @param refused the token that the service has refused, if any */
	authorize(refused?: string): Promise<Authorization>;
}

/** How long a call may take, beyond what an attempt takes. */
type Limits = Pick<Call, 'deadline'> & Pick<Waiting, 'giveUpAt' | 'signal'> & { method: string };

/** More than this is a circle. */
const MAX_REDIRECTS = 5;

/**
 * Makes a call, as often as it takes.
 *
 * @returns the response, always 2xx, with a body that is data (never HTML)
 * @throws CallError for how the last attempt ended; what `authorize` throws; the reason of the signal once that is aborted
 */
export async function makeCall(
	client: Client,
	call: Call,
	limits: Pick<Limits, 'giveUpAt' | 'signal'>,
): Promise<ServiceResponse> {
	const { method, deadline } = call;
	const outcome = await attemptUntilDone(
		client.queue,
		{ ...limits, method, deadline },
		async () => await byDeadline(attempt(client, call), deadline),
	);
	if (outcome.kind === 'response') return outcome.response;
	throw new CallError(outcome);
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
			if (Date.now() >= giveUpAt) return last;
			continue;
		}
		const wait = waitBeforeRetry(method, last, retries++, Math.random());
		if (wait === undefined || Date.now() + wait >= (deadline ?? Number.POSITIVE_INFINITY)) return last;
		if (!queue.claimRetry()) return { ...last, isOverBudget: true };
		await sleep(wait, signal);
	}
}

function endOf(outcome: Outcome): CallEnd {
	if (outcome.kind === 'response') return { kind: 'responded' };
	if (outcome.kind === 'status' && isRateLimited(outcome))
		return { kind: 'throttled', status: outcome.status, pauseMs: outcome.retryAfterMs };
	return { kind: isTransient(outcome) ? 'failed' : 'responded' };
}

/** Makes a call once; after a 401 once more, with another token. */
async function attempt({ authorize }: Client, call: Call): Promise<Outcome> {
	// A helper of n8n would turn a call that changes something into a GET.
	const maxRedirects = call.method === 'GET' ? MAX_REDIRECTS : 0;
	const first = await authorize();
	const outcome = await exchange(first, call, maxRedirects);
	const isRefused = outcome.kind === 'status' && outcome.status === 401 && !outcome.proxy;
	if (!isRefused || first.token === undefined) return outcome;
	return await exchange(await authorize(first.token), call, maxRedirects);
}
