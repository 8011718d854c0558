import clamp from 'lodash/clamp';

import type { Outcome } from '../errors/failureTable';

/** How a call ended, as far as it tells about the service's load. */
export interface CallEnd {
	kind: Outcome['limiter'];
	/** Asked for by a service that throttles. */
	pauseMs?: number;
}

/** A call in flight. */
export interface Slot {
	readonly startedAt: number;
	/** Calls in flight when it started, itself included. */
	readonly inFlight: number;
}

/** Most calls in flight, whatever the latency. */
export const MAX_WINDOW = 200;
/** Calls in flight before anything is known. */
const FIRST_WINDOW = 16;
/** Slow responses and asked pauses narrow the window no further. */
const LEAST_WINDOW = 3;
/** Calls that a poll or a list of the editor finds room for when the window is full. */
const URGENT_EXTRA = 3;
/** The window grows until a call takes this many times the quickest. */
const TOLERANCE = 1.9;
/** What one call counts for in the mean. */
const WEIGHT = 0.4;
/** After it was throttled: this part less than what the service took before. */
const BACKOFF = 0.1;
/** After another pause: this part of the calls a second that the last one left. */
const PAUSE_BACKOFF = 0.6;
const SECOND_MS = 1_000;
/** What being throttled costs where no pause is asked for, and the first wait where nothing gets through. */
const BRIEF_MS = 80;
const LONGEST_WAIT_MS = 2 * SECOND_MS;
/** Fewer calls, or in less time, tell little of how many a second get through. */
const LEAST_BURST = 10;
const LEAST_BURST_MS = 20;
/** Longest time in a pause before one call tests whether it is over. */
const LONGEST_PAUSE_MS = 60 * SECOND_MS;
/** A call counts no longer: one that hangs holds no other up. */
const COUNTS_FOR_MS = 10 * SECOND_MS;
/** How far starts may catch up after a late timer. */
const CATCH_UP_MS = 4;
/** Started calls that are remembered: more than start in a second. */
const MOST_STARTED = 2_000;

/**
 * Decides how many calls of one account may be in flight, and when the next may start. All times are passed in. It learns this from
 * the service; what a person sets, 'Concurrency Limit', bounds each run by itself, in `run/callSender.ts`.
 *
 * Picture a door that calls pass on their way to the service.
 *
 * - **What widens it**: a quick response, by a part of a call. The *window* is how many calls may be in flight.
 * - **What narrows it**: a response that took far longer than the quickest (the gradient of Gradient2, squared), or none at
 *   all. Being throttled (429) narrows it at once, by two *ceilings* just below what got through before: one on calls in
 *   flight, one on starts a millisecond (the *rate*). Both rise again by themselves.
 * - **What closes it**: a pause that the service asks for (`Retry-After`), for all calls until it is over.
 * - **When nothing gets through**, one call at a time tries, ever less often. The first response opens the door again.
 */
export class Limiter {
	/** Until when the service asked for a pause. */
	pausedUntil = 0;
	/** Calls that may be in flight, as far as latency tells. */
	private window = FIRST_WINDOW;
	/** What a call takes: of late, and the least that this was. */
	private mean = 0;
	private quickest = Infinity;
	private readonly inFlight = new Set<Slot>();
	/** Calls of the last seconds that were not throttled, the oldest first. */
	private started: Slot[] = [];
	/** Calls in flight and calls a millisecond, as far as throttling tells. */
	private inFlightCeiling = new Ceiling(Infinity);
	private rateCeiling = new Ceiling(Infinity);
	/** Where the spacing of starts counts from: the last start, or a little less after a late timer. */
	private pacedFrom = 0;
	private lastStart = 0;
	private lastResponse = -1;
	private lastRefusal = -1;
	/** Between starts while nothing gets through; 0 otherwise. */
	private waitMs = 0;

	/**
	 * @param isUrgent for a call that has a deadline: it need not wait until calls of runs end
	 * @returns when the next call may start, `now` for at once; later than that once another has ended
	 */
	nextStart(now: number, isUrgent = false): number {
		this.forgetHanging(now);
		let most = this.mostInFlight(now);
		if (isUrgent) most += URGENT_EXTRA;
		let freeAt = now;
		const [oldest] = this.inFlight;
		if (oldest && this.inFlight.size >= most) freeAt = oldest.startedAt + COUNTS_FOR_MS;
		const triesPauseAt = this.lastStart + LONGEST_PAUSE_MS;
		const pausedUntil = Math.min(this.pausedUntil, triesPauseAt);
		const pacedAt = this.pacedFrom + this.spacingAt(now);
		const triesAgainAt = this.lastStart + this.waitMs;
		return Math.max(freeAt, pausedUntil, pacedAt, triesAgainAt);
	}

	private forgetHanging(now: number): void {
		for (const slot of this.inFlight) {
			if (slot.startedAt > now - COUNTS_FOR_MS) break;
			this.inFlight.delete(slot);
		}
	}

	private mostInFlight(now: number): number {
		if (this.waitMs > 0) return 1;
		const ceiling = this.inFlightCeiling.at(now);
		const most = Math.min(this.window, ceiling);
		return Math.max(1, Math.round(most));
	}

	/** @returns milliseconds between two starts; 0 while nothing was throttled */
	private spacingAt(now: number): number {
		return 1 / this.rateCeiling.at(now);
	}

	/** Notes that a call starts. It must be released, however it ends. */
	acquire(now: number): Slot {
		const paced = this.pacedFrom + this.spacingAt(now);
		this.pacedFrom = Math.max(paced, now - CATCH_UP_MS);
		this.lastStart = now;
		const slot = { startedAt: now, inFlight: this.inFlight.size + 1 };
		this.inFlight.add(slot);
		this.started.push(slot);
		const isLong = this.started.length > MOST_STARTED;
		if (isLong) this.started = this.started.slice(-MOST_STARTED / 2);
		return slot;
	}

	release(slot: Slot, end: CallEnd, now: number): void {
		this.inFlight.delete(slot);
		switch (end.kind) {
			case 'responded':
				this.responded(slot, now);
				break;
			case 'throttled':
				this.throttled(slot, end.pauseMs, now);
				break;
			case 'notAccepted':
				this.notAccepted(slot, now);
				break;
			case 'failed':
				this.widen(-1);
				break;
			case 'cancelled':
				break;
		}
	}

	private responded(slot: Slot, now: number): void {
		const isAccepted = slot.startedAt >= this.lastRefusal;
		if (isAccepted) {
			this.waitMs = 0;
			this.pausedUntil = Math.min(this.pausedUntil, now);
		}
		this.lastResponse = now;
		const took = Math.max(1, now - slot.startedAt);
		this.noteLatency(took);
		const longer = Math.max(took, this.quickest);
		const gradient = (TOLERANCE * this.quickest) / longer;
		const calls = (gradient ** 2 - 1) / 2;
		// A window that is half empty says nothing of whether a wider one would do.
		const inUse = Math.max(slot.inFlight, this.inFlight.size);
		const isUsed = 2 * inUse >= this.window;
		if (calls < 0 || isUsed) this.widen(calls);
	}

	private noteLatency(took: number): void {
		const isFirst = this.mean === 0;
		if (isFirst) this.mean = took;
		else this.mean += WEIGHT * (took - this.mean);
		// With so few calls in flight nothing queues, so their latency is the service's own.
		const isUnqueued = this.window <= LEAST_WINDOW;
		if (isUnqueued || this.mean < this.quickest) this.quickest = this.mean;
	}

	/** @param calls by how many, or a part of one; less than 0 to narrow it */
	private widen(calls: number): void {
		this.window = clamp(this.window + calls, LEAST_WINDOW, MAX_WINDOW);
	}

	private notAccepted(slot: Slot, now: number): void {
		const wereOthersServed = this.lastResponse > slot.startedAt;
		if (wereOthersServed) this.widen(-1);
		else this.waitLonger(slot, now);
	}

	/** Of calls that were in flight together only the first counts. */
	private waitLonger(slot: Slot, now: number): void {
		if (slot.startedAt < this.lastRefusal) return;
		this.lastRefusal = now;
		this.waitMs = clamp(2 * this.waitMs, BRIEF_MS, LONGEST_WAIT_MS);
	}

	/** @param pauseMs undefined where the service asks for none */
	private throttled(slot: Slot, pauseMs: number | undefined, now: number): void {
		const resumesAt = now + (pauseMs ?? 0);
		this.pausedUntil = Math.max(this.pausedUntil, resumesAt);
		const lately = this.startedLatelyBefore(slot);
		// Of calls that were in flight together only the first counts.
		if (slot.startedAt < this.lastRefusal) return;
		const latest = lately.at(-1);
		// Nothing that has started since the last refusal got through.
		if (!latest || latest.startedAt <= this.lastRefusal) {
			this.waitLonger(slot, now);
			return;
		}
		this.lastRefusal = now;
		const calls = lately.length;
		const earliest = lately[0] ?? slot;
		const ms = slot.startedAt - earliest.startedAt;
		let others = slot.inFlight - 1;
		let rate: number;
		if (pauseMs === undefined) {
			others = Math.max(others, 1);
			rate = this.rateReached(slot, calls, ms);
		} else {
			others = Math.max(others, LEAST_WINDOW);
			rate = this.rateSustained(calls, ms, now);
		}
		const longest = Math.max(pauseMs ?? 0, BRIEF_MS);
		const returnMs = longest * Math.sqrt(1 + calls / 4.5);
		this.inFlightCeiling = new Ceiling(others, resumesAt, returnMs);
		this.rateCeiling = new Ceiling(rate, resumesAt, returnMs);
	}

	/** Takes a throttled call out of those that were started; returns those of the second before it. */
	private startedLatelyBefore(slot: Slot): Slot[] {
		const place = this.started.indexOf(slot);
		if (place < 0) return [];
		this.started.splice(place, 1);
		// What started behind it, if only at the same time, may be throttled too.
		const before = this.started.slice(0, place);
		const since = slot.startedAt - SECOND_MS;
		return before.filter((earlier) => earlier.startedAt > since);
	}

	/** Calls a millisecond. Where the window has just grown, those in flight tell more than those of the second before. */
	private rateReached(slot: Slot, calls: number, ms: number): number {
		const ofStarts = calls / Math.max(ms, LEAST_BURST_MS);
		const ofInFlight = (slot.inFlight - 1) / Math.max(1, this.mean);
		return Math.max(ofStarts, ofInFlight);
	}

	/** Calls a millisecond, before a pause. Some of them may have been a burst: the rate is found by more than one pause. */
	private rateSustained(calls: number, ms: number, now: number): number {
		const burst = Math.max(calls, LEAST_BURST);
		const burstMs = Math.min(SECOND_MS, ms + BRIEF_MS);
		const ofSecond = (1 - BACKOFF / 2) * (calls / SECOND_MS);
		const afterLast = PAUSE_BACKOFF * this.rateCeiling.at(now);
		const rate = Math.max(afterLast, ofSecond);
		return Math.min(burst / burstMs, rate);
	}
}

/** What throttling pulls down, and time brings back along a cubic curve (after CUBIC), which is flat where it was. */
class Ceiling {
	/**
	 * @param reached what got through before
	 * @param from when it begins to rise
	 * @param returnMs after which it is back at `reached`
	 */
	constructor(
		private readonly reached: number,
		private readonly from = 0,
		private readonly returnMs = 1,
	) {}

	at(now: number): number {
		const passedMs = Math.max(0, now - this.from);
		const passed = passedMs / this.returnMs;
		const part = 1 + BACKOFF * (passed - 1) ** 3;
		return this.reached * part;
	}
}
