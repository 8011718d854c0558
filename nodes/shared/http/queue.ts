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

/** How long a call may wait. Times are those of `performance.now()`. */
export interface Limits {
	/** Whether the call is safe to retry: it changes nothing. */
	isSafe: boolean;
	/** Milliseconds that it waits though it could have been sent. */
	giveUpAfterMs: number;
	/** When its run, poll or list began: it could not have been sent before. */
	openedAt: number;
	/** Of polls and the editor's lists, which go before calls of runs and have places of their own. */
	deadline?: number;
	signal?: AbortSignal;
}

/** A call from its first attempt to its last. */
interface Waiting extends Limits {
	/** The lowest is sent first. */
	rank: number;
	/** Since when it could not be sent, or was throttled. */
	heldSince: number;
	/** How the last attempt ended. */
	last?: CallFailure;
	/** Ends the waiting: with a slot, or with why it was not sent. */
	settle: (end: Slot | CallFailure) => void;
	cancel: (reason: unknown) => void;
}

/** Order of calls: polls and lists, then retries, then new calls. */
const [URGENT, AGAIN, NEW] = [0, 1, 2];
/** Retries of a call that may have reached the service. */
const MAX_RETRIES = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Before a call is sent again that could not be sent: the limiter sees to the rest. */
const HELD_WAIT_MS = 80;
const LONGEST_SLEEP_MS = 1_000;
/** Calls that may wait before the next item is prepared. */
const PREPARED_AHEAD = 2;

/** What this process remembers of each account: what its limiter has learned, and the calls that wait. */
export const callQueues = new RecentMap<CallQueue>(500);

/** @returns the same queue for the same account; the one that was used longest ago makes room for a new one */
export function queueOf(account: string): CallQueue {
	return callQueues.open(account, () => new CallQueue());
}

/** The calls of one account that wait, for whatever it is: those of all nodes and runs of this process. */
export class CallQueue {
	private readonly limiter = new Limiter();
	private readonly waiting: Waiting[] = [];
	private readonly preparing: Array<() => void> = [];
	private wakesAt = Infinity;
	/** Since when no call has got through, and why the last one did not. */
	private held: { since: number; by: CallFailure } | undefined;

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
		const call: Waiting = { ...limits, rank, heldSince: Infinity, settle: noop, cancel: noop };
		for (let [sent, retries] = [0, 0]; ; sent++) {
			const slot = await this.acquire(call);
			if ('kind' in slot) return slot;
			let end: CallResult | undefined;
			try {
				end = await attemptOnce();
			} finally {
				this.release(slot, end);
			}
			if (end.kind === 'response' || call.signal?.aborted) return end;
			const { next } = outcomeOf(end);
			if (next === 'end' || (next === 'repeat' && (!call.isSafe || retries++ === MAX_RETRIES)))
				return end;
			const now = performance.now();
			if (next === 'wait') call.heldSince = Math.min(call.heldSince, now);
			call.last = end;
			call.rank = Math.min(call.rank, AGAIN);
			const waitMs = waitBeforeRetry(end, sent);
			if (now + waitMs > this.endsAt(call)) return end;
			await sleep(waitMs, call.signal).catch(noop);
		}
	}

	/**
	 * Waits until a call may start. It must be released, however it ends.
	 *
	 * @returns why it was not sent, where it has waited for as long as it may or would have to wait longer
	 * @throws the reason of the signal once that is aborted
	 */
	private async acquire(call: Waiting): Promise<Slot | CallFailure> {
		call.signal?.throwIfAborted();
		const turn = new Promise<Slot | CallFailure>((settle, cancel) =>
			Object.assign(call, { settle, cancel }),
		);
		// The same function for all calls: a signal that many wait for hears it once.
		call.signal?.addEventListener('abort', this.startWaiting);
		this.waiting.splice(sortedLastIndexBy(this.waiting, call, 'rank'), 0, call);
		this.startWaiting();
		return await turn;
	}

	private release(slot: Slot, outcome?: CallResult): void {
		const now = performance.now();
		const end = endOf(outcome);
		this.limiter.release(slot, end, now);
		if (end.kind === 'throttled' || end.kind === 'held')
			this.held = { since: this.held?.since ?? now, by: outcome as CallFailure };
		else if (outcome && slot.startedAt >= (this.held?.since ?? Infinity)) this.held = undefined;
		this.startWaiting();
	}

	/** Starts the calls whose turn it is, and ends those that may wait no longer. */
	private readonly startWaiting = (): void => {
		const now = performance.now();
		this.endThose(now, (call) => call.signal?.aborted === true || this.endsAt(call) <= now);
		let startsAt = Infinity;
		for (let [next] = this.waiting; next; [next] = this.waiting) {
			startsAt = this.limiter.nextStart(now, next.rank === URGENT);
			if (startsAt > now) break;
			this.waiting.shift();
			next.settle(this.limiter.acquire(now));
		}
		this.endThose(now, (call) => this.endsAt(call) < this.limiter.pausedUntil);
		if (this.waiting.length < PREPARED_AHEAD)
			for (const resolve of this.preparing.splice(0)) resolve();
		if (this.waiting.length > 0)
			this.wakeAt(this.waiting.reduce((at, call) => Math.min(at, this.endsAt(call)), startsAt));
	};

	private endThose(now: number, isOver: (call: Waiting) => boolean): void {
		for (const call of this.waiting.filter(isOver)) {
			pull(this.waiting, call);
			if (call.signal?.aborted) call.cancel(call.signal.reason);
			else call.settle(call.last ?? this.whyHeld(now));
		}
	}

	/** At the latest in a second, so that no timer outlives its calls for long: a wake too many changes nothing. */
	private wakeAt(at: number): void {
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		const waitMs = Math.max(0, Math.ceil(at - performance.now()));
		void sleep(Math.min(LONGEST_SLEEP_MS, waitMs)).then(() => {
			if (this.wakesAt === at) this.wakesAt = Infinity;
			this.startWaiting();
		});
	}

	/** When a call may wait no longer. */
	private endsAt({ heldSince, openedAt, giveUpAfterMs, deadline = Infinity }: Waiting): number {
		const since = Math.min(heldSince, this.held ? Math.max(this.held.since, openedAt) : Infinity);
		return Math.min(since + giveUpAfterMs, deadline);
	}

	/** Why a call was not sent: what another one met. */
	private whyHeld(now: number): CallFailure {
		if (!this.held) return { kind: 'waited' };
		const met: CallFailure = { ...this.held.by, said: undefined, isUnsent: true };
		const left = Math.max(0, this.limiter.pausedUntil - now);
		return askedMs(met) === undefined ? met : ({ ...met, retryAfterMs: left } as CallFailure);
	}
}

/** What an attempt tells the limiter; undefined is one that was given up on this side. */
function endOf(outcome?: CallResult): CallEnd {
	if (outcome?.kind === 'response') return { kind: 'responded' };
	return outcome
		? { kind: outcomeOf(outcome).limiter, pauseMs: askedMs(outcome) }
		: { kind: 'cancelled' };
}

function askedMs(failure: CallFailure): number | undefined {
	return failure.kind === 'status' ? failure.retryAfterMs : undefined;
}

/**
 * @param times how often it has been sent again
 * @returns milliseconds before a call is sent again: as the service asks, else longer each time and spread over parallel calls;
 * 0 for one that is throttled without a time, which the limiter sees to
 */
export function waitBeforeRetry(failure: CallFailure, times: number): number {
	const { next, limiter } = outcomeOf(failure);
	if (next === 'repeat')
		return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** times) * (0.5 + Math.random() / 2);
	return askedMs(failure) ?? (limiter === 'throttled' ? 0 : HELD_WAIT_MS);
}
