import { sleep } from 'n8n-workflow';
import noop from 'lodash/noop';
import pull from 'lodash/pull';
import sortedLastIndexBy from 'lodash/sortedLastIndexBy';

import type { CallFailure } from '../errors/failure';
import { outcomeOf } from '../errors/failureTable';
import { RecentMap } from '../values/recentMap';
import { abortable } from './deadline';
import type { CallResult } from './response';
import { type CallEnd, Limiter, type Slot } from './limiter';
import { MAX_RETRIES, askedPauseMs, waitBeforeRetry } from './retry';

/** How long a call may wait. Times are those of `performance.now()`. */
interface Limits {
	/** Whether the call is safe to retry: it changes nothing. */
	isSafe: boolean;
	/** Milliseconds that it waits at most while the account is paused. */
	giveUpAfterMs: number;
	/** When its run, poll or list began: it could not have been sent before. */
	openedAt: number;
	/** Of polls and the editor's lists, which go before calls of runs and have places of their own. */
	deadline?: number;
	signal?: AbortSignal;
}

/** A call from its first attempt to its last. */
interface QueuedCall extends Limits {
	/** The lowest is sent first. */
	rank: number;
	/** Since when it waits because it could not be sent, or was throttled. */
	waitsSince: number;
	/** How the last attempt ended. */
	last?: CallFailure;
}

/** A call that waits for its turn. */
interface WaitingCall {
	call: QueuedCall;
	/** Ends the waiting: with a slot, or with why the call was not sent. */
	settle: (end: Slot | CallFailure) => void;
	cancel: (reason: unknown) => void;
}

/** Order of calls: polls and lists, then retries, then new calls. */
const URGENT = 0;
const RETRY = 1;
const NEW = 2;
const LONGEST_SLEEP_MS = 1_000;
/** Calls that may wait before the next item is prepared. */
const PREPARED_AHEAD = 2;

/** What this process remembers of each account: what its limiter has learned, and the calls that wait. */
const callQueues = new RecentMap<CallQueue>(500);

/** @returns the same queue for the same account; the one that was used longest ago makes room for a new one */
export function queueOf(account: string): CallQueue {
	return callQueues.open(account, () => new CallQueue());
}

/** The calls of one account that wait, for whatever it is: those of all nodes and runs of this process. */
export class CallQueue {
	private readonly limiter = new Limiter();
	private readonly waiting: WaitingCall[] = [];
	/** Resolves what waits in {@link ready}. */
	private preparing: Array<() => void> = [];
	private wakesAt = Infinity;
	/** While no call gets through: since when the account is paused, and why the last call did not get through. */
	private paused: { since: number; by: CallFailure } | undefined;

	/**
	 * Waits until few calls wait: preparing more would hold up those in flight.
	 *
	 * @throws the reason of the signal once that is aborted
	 */
	async ready(signal?: AbortSignal): Promise<void> {
		if (this.waiting.length < PREPARED_AHEAD) return;
		await abortable(new Promise<void>((resolve) => this.preparing.push(resolve)), signal);
	}

	/**
	 * Makes attempts at a call, each when the account lets it start, until no other helps.
	 *
	 * @param attemptOnce makes one attempt
	 * @returns how the last attempt ended; where there was none, why the call was not sent
	 * @throws the reason of the signal once that has kept it from being sent
	 */
	async send(limits: Limits, attemptOnce: () => Promise<CallResult>): Promise<CallResult> {
		const rank = limits.deadline === undefined ? NEW : URGENT;
		const call: QueuedCall = { ...limits, rank, waitsSince: Infinity };
		/** Of a call that may have reached the service. */
		let riskedRetries = 0;
		for (let retries = 0; ; retries++) {
			const slot = await this.acquire(call);
			if ('kind' in slot) return slot;
			const result = await this.attemptIn(slot, attemptOnce);
			if (result.kind === 'response' || call.signal?.aborted) return result;
			const next = outcomeOf(result).next;
			if (next === 'end') return result;
			if (next === 'retryIfSafe') {
				const mayRetry = call.isSafe && riskedRetries < MAX_RETRIES;
				if (!mayRetry) return result;
				riskedRetries++;
			}
			const now = performance.now();
			if (next === 'retryWhenReady') call.waitsSince = Math.min(call.waitsSince, now);
			call.last = result;
			call.rank = Math.min(call.rank, RETRY);
			const waitMs = waitBeforeRetry(result, retries);
			const isTooLate = now + waitMs > this.endsAt(call);
			if (isTooLate) return result;
			await sleep(waitMs, call.signal).catch(noop);
		}
	}

	/**
	 * Waits until a call may start. Its slot must be released, however it ends.
	 *
	 * @returns why it was not sent, where it has waited for as long as it may or would have to wait longer
	 * @throws the reason of the signal once that is aborted
	 */
	private async acquire(call: QueuedCall): Promise<Slot | CallFailure> {
		call.signal?.throwIfAborted();
		// The same function for all calls: a signal that many wait for hears it once.
		call.signal?.addEventListener('abort', this.startDueCalls);
		return await new Promise((settle, cancel) => this.enqueue({ call, settle, cancel }));
	}

	private enqueue(waiting: WaitingCall): void {
		const place = sortedLastIndexBy(this.waiting, waiting, 'call.rank');
		this.waiting.splice(place, 0, waiting);
		this.startDueCalls();
	}

	private async attemptIn(slot: Slot, attemptOnce: () => Promise<CallResult>): Promise<CallResult> {
		let result: CallResult | undefined;
		try {
			result = await attemptOnce();
			return result;
		} finally {
			this.release(slot, result);
		}
	}

	/** @param result undefined for an attempt that was given up on this side */
	private release(slot: Slot, result: CallResult | undefined): void {
		const now = performance.now();
		this.limiter.release(slot, callEnd(result), now);
		const by = reasonToPause(result);
		if (by) this.paused = { since: this.paused?.since ?? now, by };
		else if (result && this.paused && slot.startedAt >= this.paused.since) this.paused = undefined;
		this.startDueCalls();
	}

	/** Starts the calls whose turn it is, and ends those that may wait no longer. */
	private readonly startDueCalls = (): void => {
		const now = performance.now();
		this.endWaiting(now, (call) => call.signal?.aborted === true || this.endsAt(call) <= now);
		let wakeAt = this.startReady(now);
		this.endWaiting(now, (call) => this.endsAt(call) < this.limiter.pausedUntil);
		if (this.waiting.length < PREPARED_AHEAD) this.letPrepare();
		if (this.waiting.length === 0) return;
		for (const { call } of this.waiting) wakeAt = Math.min(wakeAt, this.endsAt(call));
		this.wakeAt(wakeAt);
	};

	/** Starts the calls that the limiter lets start. @returns when it lets the next one; Infinity where none waits */
	private startReady(now: number): number {
		for (let next = this.waiting[0]; next; next = this.waiting[0]) {
			const isUrgent = next.call.rank === URGENT;
			const startsAt = this.limiter.nextStart(now, isUrgent);
			if (startsAt > now) return startsAt;
			this.waiting.shift();
			next.settle(this.limiter.acquire(now));
		}
		return Infinity;
	}

	private endWaiting(now: number, isOver: (call: QueuedCall) => boolean): void {
		const over = this.waiting.filter((waiting) => isOver(waiting.call));
		for (const waiting of over) {
			const call = waiting.call;
			pull(this.waiting, waiting);
			if (call.signal?.aborted) waiting.cancel(call.signal.reason);
			else waiting.settle(call.last ?? this.whyNotSent(now));
		}
	}

	private letPrepare(): void {
		const resolved = this.preparing;
		this.preparing = [];
		for (const resolve of resolved) resolve();
	}

	/** At the latest in a second, so that no timer outlives its calls for long: a wake too many changes nothing. */
	private wakeAt(at: number): void {
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		const waitMs = Math.max(0, Math.ceil(at - performance.now()));
		void sleep(Math.min(LONGEST_SLEEP_MS, waitMs)).then(() => this.wake(at));
	}

	private wake(at: number): void {
		if (this.wakesAt === at) this.wakesAt = Infinity;
		this.startDueCalls();
	}

	/** When a call may wait no longer. While the account is paused, every call of it waits. */
	private endsAt(call: QueuedCall): number {
		const pausedSince = this.paused ? Math.max(this.paused.since, call.openedAt) : Infinity;
		const since = Math.min(call.waitsSince, pausedSince);
		return Math.min(since + call.giveUpAfterMs, call.deadline ?? Infinity);
	}

	/** Why a call was not sent: what another one met. */
	private whyNotSent(now: number): CallFailure {
		if (!this.paused) return { kind: 'waited' };
		const met: CallFailure = { ...this.paused.by, said: undefined, isUnsent: true };
		if (met.kind !== 'status' || met.retryAfterMs === undefined) return met;
		return { ...met, retryAfterMs: Math.max(0, this.limiter.pausedUntil - now) };
	}
}

/** A call's end in the limiter's terms. An attempt that was given up on this side says nothing about the service. */
function callEnd(result: CallResult | undefined): CallEnd {
	if (!result) return { kind: 'cancelled' };
	if (result.kind === 'response') return { kind: 'responded' };
	return { kind: outcomeOf(result).limiter, pauseMs: askedPauseMs(result) };
}

/** @returns why nothing gets through, where an attempt says so */
function reasonToPause(result: CallResult | undefined): CallFailure | undefined {
	if (!result || result.kind === 'response') return undefined;
	const { limiter } = outcomeOf(result);
	return limiter === 'throttled' || limiter === 'notAccepted' ? result : undefined;
}
