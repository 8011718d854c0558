/** How a call ended, as far as it tells about the service's load. Held: it was not sent, or 503 with `Retry-After`. */
export interface CallEnd {
	kind: 'responded' | 'throttled' | 'held' | 'failed' | 'cancelled';
	/** Asked for by a service that throttles. */
	pauseMs?: number;
}

/** A call in flight. */
export interface Slot {
	readonly startedAt: number;
	/** Calls in flight when it started, itself included. */
	readonly inFlight: number;
}

/** Concurrency: the most, before anything is known, and the least that latency leaves; and as many more for urgent calls. */
export const MAX_WINDOW = 200;
export const FIRST_WINDOW = 16;
export const LEAST_WINDOW = 3;
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
/** A pause is kept so long without a call that tries whether it is over. */
const LONGEST_PAUSE_MS = 60 * SECOND_MS;
/** A call counts no longer: one that hangs holds no other up. */
const COUNTS_FOR_MS = 10 * SECOND_MS;
/** How far starts may catch up after a late timer. */
const CATCH_UP_MS = 4;
/** More calls than are looked back on. */
const MOST_STARTED = 2_000;

/**
 * Decides how many calls of one account may be in flight, and when the next may start. All times are passed in.
 *
 * A quick response widens the window, a slow one narrows it (the gradient of Gradient2, squared). Being throttled (429) sets
 * two bounds just below what got through before, concurrency and calls a second, which return along a cubic curve (after
 * CUBIC); a pause that is asked for holds for all. While nothing gets through, one call at a time tries, ever less often.
 */
export class Limiter {
	/** Until when the service asked for a pause. */
	pausedUntil = 0;
	/** Concurrency, as far as latency tells. */
	private size = FIRST_WINDOW;
	/** What a call takes: of late, and the least that this was. */
	private mean = 0;
	private quickest = Infinity;
	private readonly inFlight = new Set<Slot>();
	/** Calls of the last seconds that were not throttled, the oldest first. */
	private started: Slot[] = [];
	/** Concurrency and calls a millisecond, as far as throttling tells. */
	private cap = bound();
	private rate = bound();
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
		for (const slot of this.inFlight) {
			if (slot.startedAt > now - COUNTS_FOR_MS) break;
			this.inFlight.delete(slot);
		}
		const window = this.waitMs > 0 ? 1 : Math.round(Math.min(this.size, this.cap(now)));
		const [oldest] = this.inFlight;
		const isFull =
			oldest && this.inFlight.size >= Math.max(1, window) + (isUrgent ? LEAST_WINDOW : 0);
		const freeAt = isFull ? oldest.startedAt + COUNTS_FOR_MS : now;
		const pausedUntil = Math.min(this.pausedUntil, this.lastStart + LONGEST_PAUSE_MS);
		const pacedAt = Math.max(this.pacedFrom + 1 / this.rate(now), this.lastStart + this.waitMs);
		return Math.max(freeAt, pausedUntil, pacedAt);
	}

	/** Notes that a call starts. It must be released, however it ends. */
	acquire(now: number): Slot {
		this.pacedFrom = Math.max(this.pacedFrom + 1 / this.rate(now), now - CATCH_UP_MS);
		this.lastStart = now;
		const slot = { startedAt: now, inFlight: this.inFlight.size + 1 };
		this.inFlight.add(slot);
		this.started.push(slot);
		if (this.started.length > MOST_STARTED) this.started = this.started.slice(-MOST_STARTED / 2);
		return slot;
	}

	release(slot: Slot, end: CallEnd, now: number): void {
		this.inFlight.delete(slot);
		if (end.kind === 'responded') this.responded(slot, now);
		else if (end.kind === 'throttled') this.throttled(slot, end.pauseMs, now);
		// Where others are served meanwhile, it concerns this call alone.
		else if (end.kind === 'held' && this.lastResponse <= slot.startedAt) this.waitLonger(slot, now);
		else if (end.kind !== 'cancelled') this.resize(-1);
	}

	private responded({ startedAt, inFlight }: Slot, now: number): void {
		if (startedAt >= this.lastRefusal) {
			this.waitMs = 0;
			this.pausedUntil = Math.min(this.pausedUntil, now);
		}
		this.lastResponse = now;
		const took = Math.max(1, now - startedAt);
		this.mean += (this.mean ? WEIGHT : 1) * (took - this.mean);
		// So few calls make no queue of their own: what they take is what the service takes by now.
		if (this.mean < this.quickest || this.size <= LEAST_WINDOW) this.quickest = this.mean;
		const step = ((TOLERANCE * this.quickest) / Math.max(took, this.quickest)) ** 2 / 2 - 0.5;
		if (step < 0 || 2 * Math.max(inFlight, this.inFlight.size) >= this.size) this.resize(step);
	}

	private resize(step: number): void {
		this.size = Math.min(MAX_WINDOW, Math.max(LEAST_WINDOW, this.size + step));
	}

	/** Of calls that were in flight together only the first counts. */
	private waitLonger({ startedAt }: Slot, now: number): void {
		if (startedAt < this.lastRefusal) return;
		this.lastRefusal = now;
		this.waitMs = Math.min(LONGEST_WAIT_MS, Math.max(BRIEF_MS, 2 * this.waitMs));
	}

	private throttled(slot: Slot, pauseMs: number | undefined, now: number): void {
		const { startedAt, inFlight } = slot;
		const from = now + (pauseMs ?? 0);
		this.pausedUntil = Math.max(this.pausedUntil, from);
		const place = this.started.indexOf(slot);
		if (place >= 0) this.started.splice(place, 1);
		if (startedAt < this.lastRefusal) return;
		// What started behind it, if only at the same time, may be throttled too.
		const before = this.started.slice(0, Math.max(0, place));
		const lately = before.filter((one) => one.startedAt > startedAt - SECOND_MS);
		if (!lately.some((one) => one.startedAt > this.lastRefusal)) return this.waitLonger(slot, now);
		this.lastRefusal = now;
		const calls = lately.length;
		const ms = startedAt - (lately[0]?.startedAt ?? startedAt);
		// Where the window has just grown, those in flight tell more than those of the second before.
		const reached = Math.max(
			calls / Math.max(ms, LEAST_BURST_MS),
			(inFlight - 1) / Math.max(1, this.mean),
		);
		// Before a pause some of them may have been a burst: the rate is found by more than one.
		const most = Math.max(calls, LEAST_BURST) / Math.min(SECOND_MS, ms + BRIEF_MS);
		const sustained = Math.max(
			PAUSE_BACKOFF * this.rate(now),
			(1 - BACKOFF / 2) * (calls / SECOND_MS),
		);
		const returnMs = Math.max(pauseMs ?? 0, BRIEF_MS) * Math.sqrt(1 + calls / 4.5);
		this.cap = bound(
			Math.max(pauseMs === undefined ? 1 : LEAST_WINDOW, inFlight - 1),
			from,
			returnMs,
		);
		this.rate = bound(pauseMs === undefined ? reached : Math.min(most, sustained), from, returnMs);
	}
}

/** What throttling pulls down, and time brings back along a cubic curve: flat where it was, `returnMs` after `from`. */
function bound(reached = Infinity, from = 0, returnMs = 1): (now: number) => number {
	return (now) => reached * (1 + BACKOFF * (Math.max(0, now - from) / returnMs - 1) ** 3);
}
