/**
 * How a call ended, as far as it tells about the service's load. Throttled: 429, or 503 with `Retry-After`, here as
 * `pauseMs`. Unreachable: it was not sent, for nothing listens or no token was to be had. Failed: no response, 502, 503
 * alone, 504. Cancelled: given up on this side.
 */
export type CallEnd =
	| { kind: 'responded' | 'unreachable' | 'failed' | 'cancelled' }
	| { kind: 'throttled'; status: number; pauseMs?: number };

/** A call in flight. */
export interface Slot {
	readonly startedAt: number;
	/** Calls that counted when it started, itself included. */
	readonly inFlight: number;
}

/** What the service asked for in `Retry-After`, and by which status; or that it cannot be reached, which nobody knows the end of. */
interface Pause {
	readonly status?: number;
	readonly askedAt: number;
	/** Infinite where nobody knows. */
	readonly endsAt: number;
	/** When one call may try whether the service is back; `endsAt` for a short pause. */
	probeAt: number;
}

/** Concurrency: the most, before anything is known, the least that latency leaves; and as many more for urgent calls. */
export const MAX_WINDOW = 200;
export const FIRST_WINDOW = 13;
export const LEAST_WINDOW = 3;
/** The window grows until a call takes this many times the quickest. */
const TOLERANCE = 1.9;
/** What one call counts for in the mean. */
const WEIGHT = 0.4;
/** After it was throttled: this part of what the service took before. */
const BACKOFF = 0.9;
/** What being throttled costs where no pause is asked for, and how long a burst may have replaced at the rate. */
const BRIEF_MS = 80;
/** So many calls are known to get through: what being throttled costs passes before as many are tried again. */
const KNOWN_CALLS = 9;
/** Calls are counted over this long. */
const SECOND_MS = 1_000;
/** Where nothing gets through, one call at least this often. */
const LONGEST_WAIT_MS = 2_000;
/** How far starts may catch up after a late timer. */
const CATCH_UP_MS = 4;
/** While others have their response, a call counts until it has taken this many times the mean. */
const SLOW = 5;
/** The longest that a call counts, and the time to the first probe of a long pause. */
export const WAIT_LIMIT_MS = 10_000;
/** What one call counts for in the share of those held up, how large that is for the account to be, and when it is over. */
const HELD_WEIGHT = 0.15;
const MOST_HELD = 0.8;
const FEW_HELD = 0.05;
/** A longer pause is probed, and what was learned is forgotten after this long without a call. */
const MINUTE_MS = 60_000;

/**
 * Decides how many calls of one account may be in flight and when the next may start. A pure state machine: all times are
 * passed in, as milliseconds of one clock.
 *
 * - Latency: a response widens the window by up to 1.3 calls, the less the longer it took, and narrows it if it
 *   took longer than the tolerance (the gradient of Gradient2, squared, with the quickest in place of a long-term mean).
 * - Throttling sets two bounds just below what got through before it: concurrency, and calls a second. Both return along
 *   a cubic curve (after CUBIC), the later the more it cost. Where nothing gets through, calls are tried ever less often.
 * - A pause that the service asked for is kept by all calls; one of more than a minute is probed, by one call at a time. So is
 *   a service that cannot be reached. What only one instance of several says (503, no connection), while others respond to
 *   most of the calls that follow, is no pause of the account.
 * - A call counts only as long as it may still say something about the service, so that one that hangs holds up no other.
 */
export class Limiter {
	/** Concurrency, as far as latency tells. */
	private size = FIRST_WINDOW;
	/** What a call takes: on average of late, and the least that this was. */
	private mean = 0;
	private quickest = Number.POSITIVE_INFINITY;
	/** Concurrency and calls a millisecond, as far as throttling tells. */
	private window = bound();
	private rate = bound();
	/** Calls that count, and the last ones that were not throttled, the oldest first. */
	private readonly inFlight = new Set<Slot>();
	private accepted: Slot[] = [];
	/** So many of them, the oldest, count no more: to take out each by itself would move all others. */
	private outdated = 0;
	private pause: Pause | undefined;
	private lastResponse = Number.NEGATIVE_INFINITY;
	private lastRefusal = Number.NEGATIVE_INFINITY;
	private lastStart = Number.NEGATIVE_INFINITY;
	/** Where the spacing of starts counts from: the last start, or a little less after a late timer. */
	private pacedFrom = Number.NEGATIVE_INFINITY;
	/** What got through before the last pause. */
	private lastBurst = { calls: 0, ms: 0 };
	/** Between starts while nothing gets through. */
	private waitMs = 0;
	/** Of the calls since one was held up, which part was: of late rather than before. */
	private held = { share: 0, since: Number.POSITIVE_INFINITY };

	/**
	 * @param isUrgent for a call that has a budget: it need not wait until calls of runs end
	 * @returns when the next call may start, `now` for at once; later than that once another has ended
	 */
	nextStart(now: number, isUrgent = false): number {
		const paced = Math.max(this.pacedFrom + 1 / this.rate(now), this.lastStart + this.waitMs);
		return Math.max(this.freeAt(now, isUrgent), this.pauseAt(now)?.probeAt ?? now, paced);
	}

	/** @returns the pause that the service asked for, while it lasts */
	pauseAt(now: number): Pause | undefined {
		return this.pause && this.pause.endsAt > now ? this.pause : undefined;
	}

	/** Notes that a call starts. It must be released, however it ends. */
	acquire(now: number): Slot {
		if (now - this.lastStart > MINUTE_MS) this.forget(this.pause);
		const pause = this.pauseAt(now);
		// Until its response is there, the others wait for it.
		if (pause) pause.probeAt = now + WAIT_LIMIT_MS;
		this.lastStart = now;
		this.pacedFrom = Math.max(this.pacedFrom + 1 / this.rate(now), now - CATCH_UP_MS);
		const slot = { startedAt: now, inFlight: this.inFlight.size + 1 };
		this.inFlight.add(slot);
		this.accepted.push(slot);
		while ((this.accepted[this.outdated] ?? slot).startedAt < now - 10 * SECOND_MS) this.outdated++;
		if (2 * this.outdated > this.accepted.length) {
			this.accepted = this.accepted.slice(this.outdated);
			this.outdated = 0;
		}
		return slot;
	}

	release(slot: Slot, end: CallEnd, now: number): void {
		const isLate = !this.inFlight.delete(slot);
		if (end.kind === 'responded') this.responded(slot, now);
		else if (end.kind === 'throttled') this.throttled(slot, end.status, end.pauseMs, now);
		else if (end.kind === 'unreachable') this.unreachable(slot, now);
		else if (end.kind === 'failed') {
			// It was reached.
			if (this.isProbe(slot, now) && this.pause?.status === undefined) this.pause = undefined;
			if (!isLate) this.resize(-1);
		}
	}

	/** Now where few enough calls count, else when the oldest counts no more. */
	private freeAt(now: number, isUrgent: boolean): number {
		for (const slot of this.inFlight) {
			const othersRespond = this.lastResponse >= slot.startedAt;
			const longest = othersRespond ? Math.max(SECOND_MS, SLOW * this.mean) : WAIT_LIMIT_MS;
			const until = slot.startedAt + Math.min(longest, WAIT_LIMIT_MS);
			if (until > now) {
				const window = Math.max(1, Math.round(this.windowAt(now)));
				return this.inFlight.size < window + (isUrgent ? LEAST_WINDOW : 0) ? now : until;
			}
			this.inFlight.delete(slot);
			if (!othersRespond) this.resize(-1);
		}
		return now;
	}

	private windowAt(now: number): number {
		return Math.min(this.size, this.window(now));
	}

	/** Whether the call was to see if a pause is over. */
	private isProbe({ startedAt }: Pick<Slot, 'startedAt'>, now: number): boolean {
		return startedAt > (this.pauseAt(now)?.askedAt ?? Number.POSITIVE_INFINITY);
	}

	/** Notes that a call was held up, which may be by one instance of several. @returns whether most calls are */
	private isHeldUp({ startedAt }: Slot): boolean {
		if (this.held.share < FEW_HELD) this.held = { share: 1, since: startedAt };
		else this.held.share += HELD_WEIGHT * (1 - this.held.share);
		return this.held.share > MOST_HELD;
	}

	/** Nothing was sent: one call tries again, soon at first. */
	private unreachable(slot: Slot, now: number): void {
		const known = this.pauseAt(now);
		const isProbe = this.isProbe(slot, now);
		if (!this.isHeldUp(slot) || (known && !isProbe)) return;
		const waitMs = isProbe && known ? Math.min(LONGEST_WAIT_MS, 2 * (now - known.askedAt)) : BRIEF_MS;
		this.pause = { askedAt: now, endsAt: Number.POSITIVE_INFINITY, probeAt: now + waitMs };
	}

	private responded({ startedAt, inFlight }: Slot, now: number): void {
		this.lastResponse = now;
		if (startedAt > this.held.since) this.held.share *= 1 - HELD_WEIGHT;
		const pause = this.pauseAt(now);
		const isOfOneInstance = pause && pause.status !== 429 && this.held.share <= MOST_HELD;
		if (this.isProbe({ startedAt }, now) || (isOfOneInstance && pause.status)) return this.forget();
		if (isOfOneInstance) this.pause = undefined;
		if (startedAt >= this.lastRefusal) this.waitMs = 0;
		const took = Math.max(1, now - startedAt);
		const sample = Math.min(took, SLOW * (this.mean || took));
		this.mean += (this.mean ? WEIGHT : 1) * (sample - this.mean);
		// So few calls make no queue of their own: what they take is what the service takes by now.
		if (this.mean < this.quickest || this.size <= LEAST_WINDOW) this.quickest = this.mean;
		const step = ((TOLERANCE * this.quickest) / Math.max(took, this.quickest)) ** 2 / 2 - 0.5;
		if (step < 0 || 2 * Math.max(inFlight, this.inFlight.size) >= this.size) this.resize(step);
	}

	private resize(step: number): void {
		this.size = Math.min(MAX_WINDOW, Math.max(LEAST_WINDOW, this.size + step));
	}

	private throttled(slot: Slot, status: number, pauseMs: number | undefined, now: number): void {
		if (status !== 429 && !this.isHeldUp(slot)) return this.resize(-1);
		if (pauseMs !== undefined) this.pauseFor(pauseMs, status, slot, now);
		const own = Math.max(0, this.accepted.lastIndexOf(slot));
		if (this.accepted[own] === slot) this.accepted.splice(own, 1);
		// Of those that were in flight together only the first counts.
		if (slot.startedAt < this.lastRefusal) return;
		const known = this.before(own, slot.startedAt, slot.startedAt - this.lastRefusal).calls;
		const { calls, ms } = this.before(own, slot.startedAt, SECOND_MS);
		this.lastRefusal = now;
		if (known === 0 || calls === 0) {
			this.waitMs = Math.min(LONGEST_WAIT_MS, Math.max(BRIEF_MS, 2 * this.waitMs));
			return;
		}
		const trip = this.before(own, slot.startedAt, this.mean);
		const fastest = Math.max(calls / ms, trip.calls / trip.ms);
		const rate = pauseMs === undefined ? fastest : this.rateBeforePause(calls, ms);
		const from = Math.max(now, this.pause?.endsAt ?? now);
		const returnMs = Math.max(pauseMs ?? 0, BRIEF_MS) * Math.sqrt((known + calls) / KNOWN_CALLS);
		const reached = Math.max(slot.inFlight - 1, pauseMs === undefined ? 1 : LEAST_WINDOW);
		this.window = bound(Math.min(this.windowAt(now), reached), from, returnMs);
		this.rate = bound(Math.min(this.rate(now), rate), from, returnMs);
		this.pacedFrom = Math.max(this.pacedFrom, now);
	}

	/** The later end counts, but what a probe is told replaces what was. */
	private pauseFor(pauseMs: number, status: number, slot: Slot, now: number): void {
		const known = this.pauseAt(now);
		const isProbe = this.isProbe(slot, now);
		const endsAt = now + pauseMs;
		if (known && !isProbe && known.endsAt >= endsAt) return;
		const probeMs = isProbe && known ? Math.min(MINUTE_MS, 2 * (now - known.askedAt)) : WAIT_LIMIT_MS;
		const probeAt = pauseMs <= MINUTE_MS ? endsAt : now + probeMs;
		this.pause = { status, askedAt: now, endsAt, probeAt };
	}

	/** Calls accepted within so long before one, and the time since the first of them. */
	private before(own: number, startedAt: number, longest: number): { calls: number; ms: number } {
		let first = own;
		while (first > this.outdated && (this.accepted[first - 1]?.startedAt ?? 0) >= startedAt - longest)
			first--;
		const since = this.accepted[first]?.startedAt ?? startedAt;
		return { calls: own - first, ms: Math.max(1, startedAt - (first < own ? since : startedAt)) };
	}

	/** Calls a millisecond. A burst may be among them, until a second pause tells: what came in the longer time besides was none. */
	private rateBeforePause(calls: number, ms: number): number {
		const last = this.lastBurst;
		this.lastBurst = { calls, ms };
		const most = calls / Math.min(SECOND_MS, ms + BRIEF_MS);
		const added = ms > last.ms ? (calls - last.calls) / (ms - last.ms) : most;
		return Math.min(most, Math.max(calls / SECOND_MS, added));
	}

	private forget(pause?: Pause): void {
		const { inFlight, held } = this;
		Object.assign(this, new Limiter(), { pause, inFlight, held });
	}
}

/** What throttling pulls down, and time brings back along a cubic curve: flat where it was, `returnMs` after `from`. */
function bound(reached = Number.POSITIVE_INFINITY, from = 0, returnMs = 1): (now: number) => number {
	return (now) => reached * (1 + (1 - BACKOFF) * (Math.max(0, now - from) / returnMs - 1) ** 3);
}
