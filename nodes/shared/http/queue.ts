import { sleep } from 'n8n-workflow';
import clamp from 'lodash/clamp';
import noop from 'lodash/noop';
import pull from 'lodash/pull';
import sortedLastIndexBy from 'lodash/sortedLastIndexBy';

import { type CallFailure, askedPauseMs } from '../errors/failure';
import { outcomeOf } from '../errors/failureTable';
import { RecentMap } from '../values/recentMap';
import { abortable } from './deadline';
import type { CallResult } from './response';
import { type CallEnd, Limiter, type Slot } from './limiter';
import { Retries } from './retry';

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

/** Makes one attempt at a call. */
type AttemptOnce = () => Promise<CallResult>;

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
	/** Since when no call has got through: the account is paused. Infinity while calls get through. */
	private pausedSince = Infinity;
	/** Why the last call did not get through. */
	private pausedBy: CallFailure | undefined;

	/**
	 * Waits until few calls wait: preparing more would hold up those in flight.
	 *
	 * @throws the reason of the signal once that is aborted
	 */
	async ready(signal?: AbortSignal): Promise<void> {
		if (this.waiting.length < PREPARED_AHEAD) return;
		const mayPrepare = new Promise<void>((resolve) => this.preparing.push(resolve));
		await abortable(mayPrepare, signal);
	}

	/**
	 * Makes attempts at a call, each when the limiter lets it start, until one succeeds or `retry.ts` allows no other.
	 *
	 * @returns how the last attempt ended; where there was none, why the call was not sent
	 * @throws the reason of the signal once that has kept it from being sent
	 */
	async send(limits: Limits, attemptOnce: AttemptOnce): Promise<CallResult> {
		const rank = limits.deadline === undefined ? NEW : URGENT;
		const call: QueuedCall = { ...limits, rank, waitsSince: Infinity };
		const retries = new Retries(call.isSafe);
		for (;;) {
			const slot = await this.acquire(call);
			if ('kind' in slot) return slot;
			const result = await this.attemptIn(slot, attemptOnce);
			if (result.kind === 'response' || call.signal?.aborted) return result;
			const waitMs = retries.waitAfter(result);
			if (waitMs === undefined) return result;
			const now = performance.now();
			const { next } = outcomeOf(result);
			if (next === 'retryWhenReady') call.waitsSince = Math.min(call.waitsSince, now);
			call.last = result;
			call.rank = Math.min(call.rank, RETRY);
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

	private async attemptIn(slot: Slot, attemptOnce: AttemptOnce): Promise<CallResult> {
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
		const end = callEnd(result);
		this.limiter.release(slot, end, now);
		const failure = reasonToPause(result);
		if (failure) {
			this.pausedSince = Math.min(this.pausedSince, now);
			this.pausedBy = failure;
		} else if (result && slot.startedAt >= this.pausedSince) {
			this.pausedSince = Infinity;
			this.pausedBy = undefined;
		}
		this.startDueCalls();
	}

	/** Starts the calls whose turn it is, and ends those that may wait no longer. */
	private readonly startDueCalls = (): void => {
		const now = performance.now();
		this.endWaiting((call) => call.signal?.aborted || this.endsAt(call) <= now);
		let wakeAt = this.startReady(now);
		// A pause that lasts longer than a call may wait ends the call at once.
		this.endWaiting((call) => this.endsAt(call) < this.limiter.pausedUntil);
		if (this.waiting.length < PREPARED_AHEAD) this.letPrepare();
		if (this.waiting.length === 0) return;
		for (const { call } of this.waiting) {
			const endsAt = this.endsAt(call);
			wakeAt = Math.min(wakeAt, endsAt);
		}
		this.wakeAt(wakeAt);
	};

	/** Starts the calls that the limiter lets start. @returns when it lets the next one; Infinity where none waits */
	private startReady(now: number): number {
		for (;;) {
			const [next] = this.waiting;
			if (!next) return Infinity;
			const isUrgent = next.call.rank === URGENT;
			const startsAt = this.limiter.nextStart(now, isUrgent);
			if (startsAt > now) return startsAt;
			this.waiting.shift();
			const slot = this.limiter.acquire(now);
			next.settle(slot);
		}
	}

	/** Ends the waiting of calls without an attempt: they are stopped, or their time is over. */
	private endWaiting(isOver: (call: QueuedCall) => boolean | undefined): void {
		const over = this.waiting.filter((waiting) => isOver(waiting.call));
		for (const waiting of over) {
			pull(this.waiting, waiting);
			const { signal, last } = waiting.call;
			if (signal?.aborted) waiting.cancel(signal.reason);
			else waiting.settle(last ?? this.whyNotSent());
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
		const leftMs = Math.ceil(at - performance.now());
		const waitMs = clamp(leftMs, 0, LONGEST_SLEEP_MS);
		void sleep(waitMs).then(() => this.wake(at));
	}

	private wake(at: number): void {
		if (this.wakesAt === at) this.wakesAt = Infinity;
		this.startDueCalls();
	}

	/**
	 * When a call may wait no longer. While the account is paused, the time limit counts from the pause, even for a call that has
	 * not been tried.
	 */
	private endsAt(call: QueuedCall): number {
		const pausedSince = Math.max(this.pausedSince, call.openedAt);
		const waitsSince = Math.min(call.waitsSince, pausedSince);
		const givesUpAt = waitsSince + call.giveUpAfterMs;
		return Math.min(givesUpAt, call.deadline ?? Infinity);
	}

	/** Why a call was not sent: the failure of the call that paused the account, as it stands now. */
	private whyNotSent(): CallFailure {
		if (!this.pausedBy) return { kind: 'waited' };
		const failure: CallFailure = { ...this.pausedBy, said: undefined, isUnsent: true };
		if (failure.kind === 'status' && failure.retryAfterMs !== undefined) {
			const leftMs = this.limiter.pausedUntil - performance.now();
			failure.retryAfterMs = Math.max(0, leftMs);
		}
		return failure;
	}
}

/** A call's end in the limiter's terms. An attempt that was given up on this side says nothing about the service. */
function callEnd(result: CallResult | undefined): CallEnd {
	if (!result) return { kind: 'cancelled' };
	if (result.kind === 'response') return { kind: 'responded' };
	const { limiter } = outcomeOf(result);
	return { kind: limiter, pauseMs: askedPauseMs(result) };
}

/** @returns the failure, if it is one that pauses the account */
function reasonToPause(result: CallResult | undefined): CallFailure | undefined {
	if (!result || result.kind === 'response') return undefined;
	const { limiter } = outcomeOf(result);
	const isPause = limiter === 'throttled' || limiter === 'notAccepted';
	return isPause ? result : undefined;
}
