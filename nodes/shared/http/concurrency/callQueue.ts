import minBy from 'lodash/minBy';
import noop from 'lodash/noop';
import pull from 'lodash/pull';
import remove from 'lodash/remove';
import sortedLastIndexBy from 'lodash/sortedLastIndexBy';

import type { CallFailure } from '../../errors/callFailure';
import { RecentMap } from '../../values/recentMap';
import type { CallOutcome } from '../response';
import { RetryBudget, callEndOf, stepAfter, waitBeforeRetry } from '../retry';
import { Alarm, abortable } from './alarm';
import { Limiter, type Slot, WAIT_LIMIT_MS } from './limiter';

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
	/** Of runs: once it is aborted, nothing is sent any more. */
	signal?: AbortSignal;
}

/** A call from its first attempt to its last. */
interface Waiting extends Limits {
	/** The lowest is sent first. */
	rank: number;
	/** How the last attempt ended, and the earliest for the next while the account as a whole does not wait. */
	last?: CallFailure;
	notBefore: number;
	/** Since when it has been tried and could not be sent, or was throttled. */
	heldSince: number;
	end: (turn: Slot | CallFailure) => void;
	/** @param reason of its signal, which has been aborted */
	abort: (reason: unknown) => void;
}

/** Order of calls: polls and lists, then retries, then new calls. */
const [URGENT, AGAIN, NEW] = [0, 1, 2];
/** Repeats of a call that may have reached the service. */
const MAX_REPEATS = 3;
/** Calls that may wait before the next item is prepared. */
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
	private readonly budget = new RetryBudget();
	private readonly waiting: Waiting[] = [];
	private readonly preparing: Array<() => void> = [];
	private readonly alarm = new Alarm(() => this.startWaiting());
	/** One listener for each signal: with one for each call, each would take the longer the more calls wait. */
	private readonly heard = new WeakSet<AbortSignal>();
	private inFlight = 0;
	private readonly total = { throttled: 0, pausedMs: 0 };
	private pausedUntil = 0;
	/** Since when no call has got through, and why the last one did not. */
	private held: { since: number; by: CallFailure } | undefined;

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
		await abortable(new Promise<void>((resolve) => this.preparing.push(resolve)), signal);
	}

	/**
	 * Makes attempts at a call, each when the account lets it start, until no other helps ({@link stepAfter}).
	 *
	 * @param attemptOnce makes one attempt
	 * @returns how the last attempt ended; where there was none, why the call was not sent
	 * @throws the reason of the signal once that has kept it from being sent
	 */
	async send(limits: Limits, attemptOnce: () => Promise<CallOutcome>): Promise<CallOutcome> {
		const { isSafe, deadline, signal } = limits;
		const rank = deadline === undefined ? NEW : URGENT;
		const call: Waiting = { ...limits, rank, notBefore: 0, heldSince: Infinity, end: noop, abort: noop };
		for (let [sent, repeats] = [0, 0]; ; sent++) {
			const turn = await this.acquire(call);
			if ('kind' in turn) return turn;
			let outcome: CallOutcome | undefined;
			try {
				outcome = await attemptOnce();
			} finally {
				this.release(turn, outcome);
			}
			if (outcome.kind === 'response' || signal?.aborted) return outcome;
			const now = performance.now();
			const step = stepAfter(outcome, isSafe);
			if (step === 'end' || (step === 'repeat' && repeats++ === MAX_REPEATS)) return outcome;
			if (step === 'repeat' && !this.budget.claim(now)) return { ...outcome, isOverBudget: true };
			if (step === 'wait') call.heldSince = Math.min(call.heldSince, now);
			call.notBefore = now + waitBeforeRetry(outcome, sent);
			call.last = outcome;
			call.rank = Math.min(call.rank, AGAIN);
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
		const now = performance.now();
		const isNext = this.waiting.length === 0 && !call.last;
		if (isNext && this.limiter.nextStart(now, call.rank === URGENT) === now) return this.start(call, now);
		const turn = new Promise<Slot | CallFailure>((end, abort) => Object.assign(call, { end, abort }));
		if (call.signal && !this.heard.has(call.signal)) {
			this.heard.add(call.signal);
			call.signal.addEventListener('abort', () => this.startWaiting());
		}
		this.waiting.splice(sortedLastIndexBy(this.waiting, call, 'rank'), 0, call);
		this.startWaiting();
		return await turn;
	}

	private release(slot: Slot, outcome?: CallOutcome): void {
		this.inFlight--;
		const now = performance.now();
		const end = callEndOf(outcome);
		this.limiter.release(slot, end, now);
		if (end.kind === 'throttled') {
			const from = Math.max(now, this.pausedUntil);
			this.pausedUntil = Math.max(from, now + (end.pauseMs ?? 0));
			this.total.throttled++;
			this.total.pausedMs += this.pausedUntil - from;
		}
		const isHeld = end.kind === 'throttled' || end.kind === 'unreachable';
		if (isHeld) this.held = { since: this.held?.since ?? now, by: outcome as CallFailure };
		else if (outcome && slot.startedAt >= (this.held?.since ?? Infinity)) this.held = undefined;
		this.startWaiting();
	}

	private startWaiting(): void {
		const now = performance.now();
		for (const call of remove(this.waiting, ({ signal }) => signal?.aborted)) call.abort(call.signal?.reason);
		this.rejectImpatient(now);
		for (let next = this.next(now); next; next = this.next(now)) {
			const at = Math.max(this.dueAt(next, now), this.limiter.nextStart(now, next.rank === URGENT));
			if (at > now) {
				this.alarm.wakeAt(Math.min(at, minBy(this.waiting, 'deadline')?.deadline ?? at), now);
				break;
			}
			pull(this.waiting, next);
			next.end(this.start(next, now));
		}
		if (this.waiting.length === 0) this.alarm.silence();
		if (!this.isCrowded()) for (const prepare of this.preparing.splice(0)) prepare();
	}

	private start({ last }: Waiting, now: number): Slot {
		this.inFlight++;
		if (!last) this.budget.called(now);
		return this.limiter.acquire(now);
	}

	private next(now: number): Waiting | undefined {
		return this.waiting.find((call) => this.dueAt(call, now) === now) ?? minBy(this.waiting, 'notBefore');
	}

	/** Whoever is first tries whether the pause of an account is over. */
	private dueAt({ notBefore }: Waiting, now: number): number {
		return this.limiter.pauseAt(now) ? now : Math.max(now, notBefore);
	}

	/** Those that have waited as long as they may, or whose next attempt comes too late. */
	private rejectImpatient(now: number): void {
		const { held } = this;
		const pause = this.limiter.pauseAt(now);
		for (const call of [...this.waiting]) {
			const { last, openedAt, heldSince, giveUpAfterMs, deadline = Infinity } = call;
			const since = Math.min(heldSince, held ? Math.max(held.since, openedAt) : Infinity);
			const giveUpAt = Math.min(since + giveUpAfterMs, deadline);
			// One that has not been tried waits for a probe that is near.
			const isProbedSoon = !last && pause && pause.probeAt <= now + WAIT_LIMIT_MS;
			const endsAt = pause?.endsAt === Infinity ? now : (pause?.endsAt ?? this.dueAt(call, now));
			const soonest = isProbedSoon ? Math.min(pause.probeAt, endsAt) : endsAt;
			if (giveUpAt > now && giveUpAt >= soonest) continue;
			pull(this.waiting, call);
			const asked = pause?.status ? { status: pause.status, retryAfterMs: endsAt - now } : undefined;
			const met: CallFailure | undefined = asked ? { kind: 'status', ...asked } : held?.by;
			const failure = last ?? (met ? { ...met, said: undefined, isUnsent: true } : { kind: 'waited' });
			call.end({ ...failure, ...(since < Infinity ? { neededMs: endsAt - since } : {}) });
		}
	}

	private isCrowded(): boolean {
		const now = performance.now();
		return this.waiting.filter((call) => this.dueAt(call, now) === now).length >= PREPARED_AHEAD;
	}
}
