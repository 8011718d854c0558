import minBy from 'lodash/minBy';
import pull from 'lodash/pull';

import { RecentMap } from '../../values/recentMap';
import { type Attempt, type Failed, RetryBudget, callEndOf } from '../retry';
import { Alarm, abortable } from './alarm';
import { Limiter, type Slot, WAIT_LIMIT_MS } from './limiter';

/** A call from its first attempt to its last: how long and in which order it waits. Times are those of `performance.now()`. */
export interface Waiting {
	/** Milliseconds that it waits though it could have been sent. */
	giveUpAfterMs: number;
	/** When its run, poll or list began: it could not have been sent before. */
	openedAt: number;
	/** Since when it has been tried and could not be sent, or was throttled. */
	heldSince?: number;
	/** How the last attempt ended, and the earliest for the next while the account as a whole does not wait. */
	last?: Failed;
	notBefore?: number;
	/** Ends the waiting at once. */
	signal?: AbortSignal;
	/** For polls and the editor's lists, which have a budget: goes before calls of runs, and has places of its own. */
	isUrgent?: boolean;
}

interface Waiter {
	call: Waiting;
	/** The lowest goes first. */
	rank: number;
	end: (turn: Slot | Failed) => void;
}

/** So many calls may wait before the next item is prepared. */
const PREPARED_AHEAD = 2;

/** What this process remembers of each account: what its limiter has learned, and the calls that wait. */
export const callQueues = new RecentMap<CallQueue>(500, ({ isIdle }) => isIdle);

/** @returns the same queue for the same account; the idle one that was used longest ago makes room for a new one */
export function queueOf(account: string): CallQueue {
	return callQueues.open(account, () => new CallQueue());
}

/** The calls of one account that wait, for whatever it is: those of all nodes and runs of this process. */
export class CallQueue {
	private readonly limiter = new Limiter();
	readonly budget = new RetryBudget();
	private readonly waiting: Waiter[] = [];
	private readonly preparing: Array<(isReady: undefined) => void> = [];
	private readonly alarm = new Alarm(() => this.startWaiting());
	private inFlight = 0;
	private readonly total = { throttled: 0, pausedMs: 0 };
	/** Since when no call has got through, and why the last one did not. */
	private held: { since: number; by: Failed } | undefined;

	/** Calls in flight now; responses that throttled one, and milliseconds of the pauses that they asked for, so far. */
	get load(): Readonly<{ inFlight: number; throttled: number; pausedMs: number }> {
		return { inFlight: this.inFlight, ...this.total };
	}

	/** Whether nothing of the account is in flight or waiting. */
	get isIdle(): boolean {
		return this.inFlight === 0 && this.waiting.length === 0;
	}

	/**
	 * Waits until few calls wait: preparing more would only cost memory.
	 *
	 * @throws the reason of the signal once that is aborted
	 */
	async ready(signal?: AbortSignal): Promise<void> {
		if (!this.isCrowded()) return;
		await abortable<undefined>(signal, (resolve) => {
			this.preparing.push(resolve);
			return () => pull(this.preparing, resolve);
		});
	}

	/**
	 * Waits until a call may start. It must be released, however it ends.
	 *
	 * @returns why it was not sent, where it has waited for as long as it may or would have to wait longer
	 * @throws the reason of the signal once that is aborted
	 */
	async acquire(call: Waiting): Promise<Slot | Failed> {
		const { signal, isUrgent, last } = call;
		signal?.throwIfAborted();
		const now = performance.now();
		// To listen to the signal takes the longer the more calls are in flight: not for a call that need not wait.
		if (this.waiting.length === 0 && !last && this.limiter.nextStart(now, isUrgent) === now) {
			const slot = this.start(call, now);
			this.prepareNext();
			return slot;
		}
		return await abortable<Slot | Failed>(signal, (end) => {
			const rank = isUrgent ? 0 : last ? 1 : 2;
			const waiter = { call, rank, end };
			const behind = this.waiting.findIndex((other) => other.rank >= rank + (last ? 0 : 1));
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			this.startWaiting();
			return () => {
				pull(this.waiting, waiter);
				this.startWaiting();
			};
		});
	}

	/** @param attempt how the call ended; undefined where it was given up on this side */
	release(slot: Slot, attempt?: Attempt): void {
		this.inFlight--;
		const now = performance.now();
		const end = attempt ? callEndOf(attempt) : ({ kind: 'cancelled' } as const);
		const pausedUntil = this.limiter.pauseAt(now)?.endsAt ?? now;
		this.limiter.release(slot, end, now);
		if (end.kind === 'throttled') {
			this.total.throttled++;
			const until = this.limiter.pauseAt(now)?.endsAt ?? now;
			this.total.pausedMs += Math.max(0, Math.min(until, now + (end.pauseMs ?? 0)) - pausedUntil);
		}
		const isHeld = end.kind === 'throttled' || end.kind === 'unreachable';
		if (isHeld && attempt && attempt.kind !== 'response')
			this.held = { since: this.held?.since ?? now, by: attempt };
		else if (attempt && slot.startedAt >= (this.held?.since ?? Infinity)) this.held = undefined;
		this.startWaiting();
	}

	private startWaiting(): void {
		const now = performance.now();
		this.rejectImpatient(now);
		for (let next = this.next(now); next; next = this.next(now)) {
			const at = Math.max(this.dueAt(next.call, now), this.limiter.nextStart(now, next.call.isUrgent));
			if (at > now) return this.alarm.wakeAt(at, now);
			pull(this.waiting, next);
			next.end(this.start(next.call, now));
			this.prepareNext();
		}
		this.alarm.silence();
		this.prepareNext();
	}

	private start({ last }: Waiting, now: number): Slot {
		this.inFlight++;
		if (!last) this.budget.called(now);
		return this.limiter.acquire(now);
	}

	private next(now: number): Waiter | undefined {
		const isDue = ({ call }: Waiter) => this.dueAt(call, now) === now;
		return this.waiting.find(isDue) ?? minBy(this.waiting, ({ call }) => call.notBefore);
	}

	/** Whoever is first tries whether the pause of an account is over. */
	private dueAt({ notBefore }: Waiting, now: number): number {
		return this.limiter.pauseAt(now) ? now : Math.max(now, notBefore ?? now);
	}

	/** Those that have waited as long as they may, or whose next attempt comes too late. */
	private rejectImpatient(now: number): void {
		const pause = this.limiter.pauseAt(now);
		for (const waiter of [...this.waiting]) {
			const { last, openedAt, giveUpAfterMs, heldSince = Infinity } = waiter.call;
			const since = Math.min(heldSince, this.held ? Math.max(this.held.since, openedAt) : Infinity);
			// One that has not been tried waits for a probe that is near.
			const isProbedSoon = !last && pause && pause.probeAt <= now + WAIT_LIMIT_MS;
			const endsAt = pause?.endsAt === Infinity ? now : (pause?.endsAt ?? this.dueAt(waiter.call, now));
			const soonest = isProbedSoon ? Math.min(pause.probeAt, endsAt) : endsAt;
			const giveUpAt = since + giveUpAfterMs;
			if (giveUpAt > now && giveUpAt >= soonest) continue;
			pull(this.waiting, waiter);
			const pauseMs = endsAt - now;
			const by = pause?.status
				? ({ kind: 'pause', status: pause.status, pauseMs } as const)
				: ({ ...(this.held?.by as Failed), said: undefined, isUnsent: true } as const);
			waiter.end({ ...(last ?? (by as Failed)), neededMs: endsAt - since });
		}
	}

	private isCrowded(): boolean {
		const now = performance.now();
		return this.waiting.filter(({ call }) => this.dueAt(call, now) === now).length >= PREPARED_AHEAD;
	}

	private prepareNext(): void {
		if (!this.isCrowded()) this.preparing.shift()?.(undefined);
	}
}
