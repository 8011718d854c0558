/**
 * How a call ended, as far as it tells about the service's load. Throttled: 429, or 503 with `Retry-After`, here as
 * `pauseMs`. Failed: no response, 502, 503 alone, 504. Cancelled: given up on this side.
 */
export type CallEnd =
	{ kind: 'responded' | 'failed' | 'cancelled' } | { kind: 'throttled'; status: number; pauseMs?: number };

/** A call under way. */
export interface Slot {
	readonly startedAt: number;
	/** Calls that counted when it started, itself included. */
	readonly inFlight: number;
}

/** What the service asked for in `Retry-After`, and by which status. */
export interface Pause {
	readonly status: number;
	readonly askedAt: number;
	readonly endsAt: number;
	/** When one call may try whether the service is back; `endsAt` for a short pause. */
	probeAt: number;
	readonly probeMs: number;
}

/** Concurrency: the most, before anything is known, the least that latency leaves; and as many more for urgent calls. */
export const MAX_WINDOW = 200;
export const FIRST_WINDOW = 16;
export const LEAST_WINDOW = 3;
/** The window grows until a call takes this many times the quickest. */
const TOLERANCE = 2;
/** What one call counts for in the mean. */
const WEIGHT = 0.2;
/** After it was throttled: this part of what the service took before. */
const BACKOFF = 0.9;
/** What being throttled costs where no pause is asked for. */
const REFUSAL_MS = 100;
/** Calls are counted over this long. */
const SECOND_MS = 1_000;
/** The rate before a pause is reckoned as if its calls had taken so much longer: some of them may have been a burst. */
const BURST_MS = 75;
/** Where nothing gets through, one call at least this often. */
const LONGEST_WAIT_MS = 2_000;
/** How far starts may catch up after a late timer. */
const CATCH_UP_MS = 4;
/** While others have their response, a call counts until it has taken this many times the mean. */
const SLOW = 5;
/** The longest that a call counts, and the time to the first probe of a long pause. */
export const PATIENCE_MS = 10_000;
/** A longer pause is probed, and what was learned is forgotten after this long without a call. */
const MINUTE_MS = 60_000;

/**
 * Decides how many calls of one account may be in flight and when the next may start. A pure state machine: all times are
 * passed in, as milliseconds of one clock.
 *
 * - Latency: a response widens the window by up to one call, the less the longer it took, and narrows it if it took
 *   longer than the tolerance (the gradient of Gradient2, with the quickest in place of a long-term mean).
 * - Throttling sets two bounds just below what got through before it: concurrency, and calls a second. Both return along
 *   a cubic curve (after CUBIC), the later the more it cost. Where nothing gets through, calls are tried ever less often.
 * - A pause that the service asked for is kept by all calls; one of more than a minute is probed, by one call at a time.
 * - A call counts only as long as it may still say something about the service, so that one that hangs holds up no other.
 */
export class Limiter {
	/** Concurrency, as far as latency tells. */
	private size = FIRST_WINDOW;
	/** What a call takes: on average of late, and the least that this was. */
	private mean = 0;
	private quickest = Number.POSITIVE_INFINITY;
	/** Concurrency and calls a millisecond, as far as throttling tells. (A limit that a person sets would be a third bound.) */
	private readonly window = new Bound();
	private readonly rate = new Bound();
	/** Calls that count, and the last ones that were not throttled, the oldest first. */
	private readonly inFlight = new Set<Slot>();
	private readonly accepted: Slot[] = [];
	private pause: Pause | undefined;
	private lastResponse = Number.NEGATIVE_INFINITY;
	private lastRefusal = Number.NEGATIVE_INFINITY;
	private lastStart = Number.NEGATIVE_INFINITY;
	/** Where the spacing of starts counts from: the last start, or a little less after a late timer. */
	private pacedFrom = Number.NEGATIVE_INFINITY;
	/** Between starts while nothing gets through. */
	private waitMs = 0;

	/**
	 * @param isUrgent for a call that has a budget: it need not wait until calls of runs end
	 * @returns when the next call may start, `now` for at once; later than that once another has ended
	 */
	nextStart(now: number, isUrgent = false): number {
		const paced = Math.max(this.pacedFrom + 1 / this.rate.at(now), this.lastStart + this.waitMs);
		return Math.max(this.freeAt(now, isUrgent), this.pauseAt(now)?.probeAt ?? now, paced);
	}

	/** @returns the pause that the service asked for, while it lasts */
	pauseAt(now: number): Pause | undefined {
		return this.pause && this.pause.endsAt > now ? this.pause : undefined;
	}

	/** Notes that a call starts. It must be released, however it ends. */
	acquire(now: number): Slot {
		if (now - this.lastStart > MINUTE_MS) this.forget();
		const pause = this.pauseAt(now);
		// Until its response is there, the others wait for it.
		if (pause) pause.probeAt = now + PATIENCE_MS;
		this.lastStart = now;
		this.pacedFrom = Math.max(this.pacedFrom + 1 / this.rate.at(now), now - CATCH_UP_MS);
		const slot = { startedAt: now, inFlight: this.inFlight.size + 1 };
		this.inFlight.add(slot);
		this.accepted.push(slot);
		while ((this.accepted[0] ?? slot).startedAt < now - 10 * SECOND_MS) this.accepted.shift();
		return slot;
	}

	release(slot: Slot, end: CallEnd, now: number): void {
		const isLate = !this.inFlight.delete(slot);
		if (end.kind === 'responded') this.responded(slot, isLate, now);
		else if (end.kind === 'throttled') this.throttled(slot, end.status, end.pauseMs, now);
		else if (end.kind === 'failed' && !isLate) this.resize(-1);
	}

	/** Now where few enough calls count, else when the oldest counts no more. */
	private freeAt(now: number, isUrgent: boolean): number {
		for (const slot of this.inFlight) {
			const othersRespond = this.lastResponse >= slot.startedAt;
			const longest = othersRespond ? Math.max(SECOND_MS, SLOW * this.mean) : PATIENCE_MS;
			const until = slot.startedAt + Math.min(longest, PATIENCE_MS);
			if (until > now) {
				const window = Math.max(1, Math.round(this.window.at(now, this.size)));
				return this.inFlight.size < window + (isUrgent ? LEAST_WINDOW : 0) ? now : until;
			}
			this.inFlight.delete(slot);
			if (!othersRespond) this.resize(-1);
		}
		return now;
	}

	private responded({ startedAt, inFlight }: Slot, isLate: boolean, now: number): void {
		this.lastResponse = now;
		if (startedAt > (this.pauseAt(now)?.askedAt ?? Number.POSITIVE_INFINITY)) {
			this.pause = undefined;
			return this.forget();
		}
		if (startedAt >= this.lastRefusal) this.waitMs = 0;
		const took = Math.max(1, now - startedAt);
		const sample = isLate && this.mean > 0 ? Math.min(took, SLOW * this.mean) : took;
		this.mean = this.mean === 0 ? sample : this.mean + WEIGHT * (sample - this.mean);
		// So few calls make no queue of their own: what they take is what the service takes by now.
		if (this.mean < this.quickest || this.size <= LEAST_WINDOW) this.quickest = this.mean;
		const step = Math.min(1, (TOLERANCE * this.quickest) / took - 1);
		if (step < 0 || 2 * inFlight >= this.size) this.resize(step);
	}

	private resize(step: number): void {
		this.size = Math.min(MAX_WINDOW, Math.max(LEAST_WINDOW, this.size + step));
	}

	private throttled(slot: Slot, status: number, pauseMs: number | undefined, now: number): void {
		if (pauseMs !== undefined) this.pauseFor(pauseMs, status, slot.startedAt, now);
		const own = Math.max(0, this.accepted.lastIndexOf(slot));
		if (this.accepted[own] === slot) this.accepted.splice(own, 1);
		// Of those that were in flight together only the first counts.
		if (slot.startedAt < this.lastRefusal) return;
		const hasTaken = (this.accepted[own - 1]?.startedAt ?? Number.NaN) >= this.lastRefusal;
		const { calls, ms } = this.before(own, slot.startedAt, SECOND_MS);
		this.lastRefusal = now;
		if (!hasTaken || calls === 0) {
			this.waitMs = Math.min(LONGEST_WAIT_MS, Math.max(REFUSAL_MS, 2 * this.waitMs));
			return;
		}
		const hasPause = pauseMs !== undefined;
		const trip = this.before(own, slot.startedAt, this.mean);
		const fastest = Math.max(calls / ms, trip.calls / trip.ms);
		const rate = hasPause ? calls / Math.min(SECOND_MS, ms + BURST_MS) : fastest;
		const from = Math.max(now, this.pause?.endsAt ?? now);
		const returnMs = Math.max(pauseMs ?? 0, REFUSAL_MS) * Math.log(1 + calls);
		const reached = Math.max(slot.inFlight - 1, hasPause ? LEAST_WINDOW : 1);
		this.window.cut(Math.min(this.window.at(now, this.size), reached), from, returnMs);
		this.rate.cut(Math.min(this.rate.at(now), rate), from, returnMs);
		this.pacedFrom = Math.max(this.pacedFrom, now);
	}

	/** The later end counts, but what a probe is told replaces what was. */
	private pauseFor(pauseMs: number, status: number, startedAt: number, now: number): void {
		const known = this.pauseAt(now);
		const isProbe = known !== undefined && startedAt > known.askedAt;
		const endsAt = now + pauseMs;
		if (known && !isProbe && known.endsAt >= endsAt) return;
		const probeMs = isProbe ? Math.min(MINUTE_MS, 2 * known.probeMs) : PATIENCE_MS;
		const probeAt = pauseMs <= MINUTE_MS ? endsAt : now + probeMs;
		this.pause = { status, askedAt: now, endsAt, probeAt, probeMs };
	}

	/** Calls accepted within so long before one, and the time since the first of them. */
	private before(own: number, startedAt: number, longest: number): { calls: number; ms: number } {
		const calls = this.accepted.slice(0, own).filter((slot) => slot.startedAt >= startedAt - longest);
		return { calls: calls.length, ms: Math.max(1, startedAt - (calls[0]?.startedAt ?? startedAt)) };
	}

	private forget(): void {
		Object.assign(this, new Limiter(), { pause: this.pause, inFlight: this.inFlight });
	}
}

/** A bound that throttling pulls down and time brings back. */
class Bound {
	/** What the service still took when it last refused. */
	private reached = Number.POSITIVE_INFINITY;
	private from = 0;
	private returnMs = 1;

	/** A cubic curve: flat around what was reached, then ever steeper. */
	at(now: number, most = Number.POSITIVE_INFINITY): number {
		const way = Math.max(0, now - this.from) / this.returnMs - 1;
		return Math.min(most, this.reached * (1 + (1 - BACKOFF) * way ** 3));
	}

	/** @param returnMs time until what was reached is tried again */
	cut(reached: number, from: number, returnMs: number): void {
		Object.assign(this, { reached, from, returnMs });
	}
}
