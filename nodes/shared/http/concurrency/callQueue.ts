import pull from 'lodash/pull';

import { CallError } from '../../errors/callFault';
import { RecentMap } from '../../values/recentMap';
import { RetryBudget } from '../retry';
import { Alarm, abortable } from './alarm';
import { type CallEnd, Limiter, WAIT_LIMIT_MS, type Slot } from './limiter';

/** How long and in which order a call waits. */
export interface Waiting {
	/** On the clock of `performance.now()`: a pause that ends later is not waited for. */
	giveUpAt: number;
	/** Ends the waiting at once. */
	signal?: AbortSignal;
	/** For polls and the editor's lists, which have a budget: goes before calls of runs, and has places of its own. */
	isUrgent?: boolean;
	/** Whether the call has been made before: it goes before those that have not. */
	isRepeat?: boolean;
}

interface Waiter extends Waiting {
	/** The lowest goes first. */
	rank: number;
	start: (slot: Slot) => void;
	reject: (reason: unknown) => void;
}

/** So many calls may wait before the next item is prepared. */
const PREPARED_AHEAD = 2;

/** What this process remembers of each account: what its limiter has learned, and the calls that wait. */
export const callQueues = new RecentMap<CallQueue>(500, ({ isIdle }) => isIdle);

/** @returns the same queue for the same account; the idle one that was used longest ago makes room for a new one */
export function queueOf(account: string): CallQueue {
	return callQueues.open(account, () => new CallQueue());
}

/** The calls of one account that wait for its limiter: those of all nodes and runs of this process. */
export class CallQueue {
	private readonly limiter = new Limiter();
	readonly retries = new RetryBudget();
	private readonly waiting: Waiter[] = [];
	private readonly preparing: Array<(isReady: undefined) => void> = [];
	private readonly alarm = new Alarm(() => this.startWaiting());
	private inFlight = 0;
	private readonly total = { throttled: 0, pausedMs: 0 };

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
		if (this.waiting.length < PREPARED_AHEAD) return;
		await abortable<undefined>(signal, (resolve) => {
			this.preparing.push(resolve);
			return () => pull(this.preparing, resolve);
		});
	}

	/**
	 * Waits until a call may start. It must be released, however it ends.
	 *
	 * @throws CallError for a pause that outlasts the waiting; the reason of the signal once that is aborted
	 */
	async acquire(call: Waiting): Promise<Slot> {
		const { signal, isUrgent, isRepeat } = call;
		signal?.throwIfAborted();
		const now = performance.now();
		// To listen to the signal takes the longer the more calls are in flight: not for a call that need not wait.
		if (this.waiting.length === 0 && this.limiter.nextStart(now, isUrgent) === now) {
			const slot = this.start(call, now);
			this.prepareNext();
			return slot;
		}
		return await abortable<Slot>(signal, (start, reject) => {
			const rank = isUrgent ? 0 : isRepeat ? 1 : 2;
			const waiter = { ...call, rank, start, reject };
			const behind = this.waiting.findIndex((other) => other.rank >= rank + (isRepeat ? 0 : 1));
			this.waiting.splice(behind < 0 ? this.waiting.length : behind, 0, waiter);
			this.startWaiting();
			return () => {
				pull(this.waiting, waiter);
				this.startWaiting();
			};
		});
	}

	release(slot: Slot, end: CallEnd): void {
		this.inFlight--;
		const now = performance.now();
		const pausedUntil = this.limiter.pauseAt(now)?.endsAt ?? now;
		this.limiter.release(slot, end, now);
		if (end.kind === 'throttled') {
			this.total.throttled++;
			this.total.pausedMs += Math.max(0, (this.limiter.pauseAt(now)?.endsAt ?? now) - pausedUntil);
		}
		this.startWaiting();
	}

	private startWaiting(): void {
		this.rejectImpatient();
		for (let [first] = this.waiting; first; [first] = this.waiting) {
			const now = performance.now();
			const at = this.limiter.nextStart(now, first.isUrgent);
			if (at > now) return this.alarm.wakeAt(at, now);
			this.waiting.shift();
			first.start(this.start(first, now));
			this.prepareNext();
		}
		this.alarm.silence();
		this.prepareNext();
	}

	private start({ isRepeat }: Waiting, now: number): Slot {
		this.inFlight++;
		if (!isRepeat) this.retries.called(now);
		return this.limiter.acquire(now);
	}

	/** Those that the pause outlasts, unless it is probed soon: then they wait for that, if they have not been tried. */
	private rejectImpatient(): void {
		const now = performance.now();
		const pause = this.limiter.pauseAt(now);
		if (!pause) return;
		const isProbedSoon = pause.probeAt <= now + WAIT_LIMIT_MS;
		for (const waiter of [...this.waiting]) {
			const until = isProbedSoon && !waiter.isRepeat ? Math.min(pause.probeAt, pause.endsAt) : pause.endsAt;
			if (waiter.giveUpAt >= until) continue;
			pull(this.waiting, waiter);
			waiter.reject(new CallError({ kind: 'pause', status: pause.status, pauseMs: pause.endsAt - now }));
		}
	}

	private prepareNext(): void {
		if (this.waiting.length < PREPARED_AHEAD) this.preparing.shift()?.(undefined);
	}
}
