/** How one attempt of a call ended. */
export type AttemptEnd =
	/** The service dealt with it, whatever its answer. */
	| { kind: 'answered' }
	/** Not now: 429, or 503 with `Retry-After`. `pauseMs` is what the service asked for, if it did. */
	| { kind: 'refused'; pauseMs?: number }
	/** No answer, or one that says nothing about the load: a cut connection, 502, 503 alone, 504. */
	| { kind: 'faulty' }
	/** Given up on this side: says nothing about the service. */
	| { kind: 'cancelled' };

/** One attempt under way. */
export interface StartedCall {
	readonly startedAt: number;
	/** Calls under way when it started, itself included. */
	readonly underWay: number;
}

/** Calls at once before anything is known. */
export const FIRST_WINDOW = 14;
/** Most calls at once for one account. */
export const MAX_WINDOW = 200;
/** Latency alone never pushes below this. */
const LEAST_FOR_LATENCY = 10;
/** Most growth in a round once the fast start is over. */
const GROWTH_A_ROUND = 1.5;
/**
 * What latency may exceed that of the quickest round by: a part of it, and in any case what this process itself may need
 * to read the answers while it is busy.
 */
const QUEUE_PART = 0.5;
const OWN_DELAY_MS = 50;
/** Times that a call waits for this process: to be sent, for its headers and for its body. */
const OWN_STEPS = 3;
/** This process counts as busy at the most by this part: what waits for it would have no bound. */
const MOST_BUSY = 0.99;
/** The window grows only while latency is above its bound by no more than this part of one's own delay. */
const OWN_PART_TO_GROW = 0.5;
const SHRINK_A_ROUND = 0.8;
/** A call that takes longer than the quickest round by this part ends the fast start. */
const SLOW_CALL = 0.4;
const SLOW_ROUND = 0.7;
const SLOW_ROUNDS = 2;
/** Latency that falls to this part once fewer calls are under way was that of a queue of one's own. */
const OWN_QUEUE = 0.75;
const BASELINE_LASTS_MS = 10_000;
/** After a refusal: calls at once and calls a second, as parts of what was reached. */
const WINDOW_AFTER_REFUSAL = 0.9;
const RATE_AFTER_REFUSAL = 0.95;
/** Time until a level that was refused is tried again. A refusal that cost a pause is not risked so soon. */
const RETURN_MS = 1_000;
const RETURN_AFTER_PAUSE_MS = 10_000;
/** After a pause the rate doubles no sooner than after this long without a refusal. */
const DOUBLING_AFTER_PAUSE_MS = 1_000;
const RATE_SPAN_MS = 1_000;
/** Calls of a shorter time say little about the rate behind a first burst. */
const SURE_MS = 250;
/** Part of the calls taken for accepted that are so: some have no answer yet. */
const CERTAIN = 0.98;
/** Shorter is not measured: latency is divided by. */
const SHORTEST_TRIP_MS = 0.1;
const SHORTEST_ROUND_MS = 20;
/** As many ends make a round, or half of what is under way. */
const ENOUGH_CALLS = 8;
const SHORTEST_CUT_MS = 100;
/** Where nothing gets through: calls a second, halved with each refusal down to the least. */
const PROBE_RATE = 2;
const LEAST_RATE = 0.5;
/** Starts are spread over the round trip, a little faster than the window alone would have them. */
const PACE = 1.25;
/** How far starts may catch up after timers that came late: up to a round trip unless the rate is bounded. */
const CATCH_UP_MS = 20;
/** Faults of this part of a round count as push-back. */
const MANY_FAULTS = 0.1;
/** Longest pause that is kept for the whole account. */
export const MAX_PAUSE_MS = 600_000;
/** What was learned is forgotten after this long without a call, but for the pause. */
const FORGET_AFTER_MS = 60_000;

interface Round {
	began: number;
	/** How long this process had been at work when the round began. */
	busyMs: number;
	underWayAtStart: number;
	answered: number;
	refused: number;
	faulty: number;
	/** Sum of the times of the calls answered. */
	took: number;
	/** Whether the window was ever full. */
	full: boolean;
}

/** A bound that refusals pull down and time brings back. */
class Bound {
	/** What the service still took when it last refused. */
	private reached = Number.POSITIVE_INFINITY;
	private low = Number.POSITIVE_INFINITY;
	private changedAt = 0;
	private hasPause = false;
	private readonly part: number;

	/** @param part of what was reached that is allowed after a refusal */
	constructor(part: number) {
		this.part = part;
	}

	/** Below the part: as low as it fell. From there a cubic curve: flat around what was reached, then ever steeper. */
	at(now: number): number {
		if (this.low < this.part * this.reached) return this.low;
		if (this.reached === Number.POSITIVE_INFINITY) return this.reached;
		const returnMs = this.hasPause ? RETURN_AFTER_PAUSE_MS : RETURN_MS;
		const way = Math.max(0, now - this.changedAt) / returnMs - 1;
		return this.reached * (1 + (1 - this.part) * way ** 3);
	}

	/** @param low where to go on, if lower than the part of what was reached */
	cut(reached: number, low: number, from: number, hasPause: boolean): void {
		this.reached = reached;
		this.low = Math.min(low, this.part * reached);
		this.changedAt = from;
		this.hasPause = hasPause;
	}

	/** Nothing got through: says nothing about what the service takes, but that it is too much now. */
	cutBlindly(low: number, from: number): void {
		this.low = low;
		this.changedAt = from;
	}

	/** A round went by without a refusal. */
	grow(now: number): void {
		const whole = this.part * this.reached;
		if (this.low >= whole || (this.hasPause && now - this.changedAt < DOUBLING_AFTER_PAUSE_MS)) return;
		this.low = Math.min(Math.max(2 * this.low, PROBE_RATE), whole);
		this.changedAt = now;
	}
}

/**
 * Decides how many calls of one account may be under way and when the next may start. A pure state machine: all times are
 * passed in, as milliseconds of one clock.
 *
 * Three things bound the calls. By latency (after Gradient2): the window grows while a round takes little longer than the
 * quickest one, and shrinks beyond that; where latency stays high, few calls for two rounds tell a queue from a slower
 * service (after BBR). By refusals: window and rate fall below what was reached and return along a cubic curve (after
 * CUBIC). By `Retry-After`: no call starts before its end.
 *
 * @see docs/bench.md for how it compares with published algorithms
 */
export class CallController {
	private window = FIRST_WINDOW;
	private isStarting = true;
	private underWay = 0;
	private quickest = Number.POSITIVE_INFINITY;
	private quickestAt = 0;
	private slowRounds = 0;
	/** Rounds left of a look at the latency without a queue, and the window to return to. */
	private look: { rounds: number; window: number; mean: number } | undefined;
	/** No look before: the last one has shown that the queue is one's own. */
	private nextLookAt = Number.NEGATIVE_INFINITY;
	private meanTook = 0;
	private busyMs = 0;
	/** What the last round's calls waited for this process itself. */
	private ownDelayMs = 0;
	private lastTook = 0;
	private round: Round;
	private readonly accepting = new Bound(WINDOW_AFTER_REFUSAL);
	private readonly rate = new Bound(RATE_AFTER_REFUSAL);
	/** Answers since the last cut. */
	private answeredSinceCut = 0;
	private refusedSinceCut = 0;
	private lastCut = Number.NEGATIVE_INFINITY;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	/** Where the spacing of starts counts from: the last start, or a little less after a late timer. */
	private pacedFrom = Number.NEGATIVE_INFINITY;
	private firstStart: number | undefined;
	private lastStart = Number.NEGATIVE_INFINITY;
	/** Start times of the last second, without calls that were refused. */
	private accepted: number[] = [];

	constructor(now: number) {
		this.round = emptyRound(now, 0, 0);
	}

	/** @returns when the next call may start, `now` for at once; undefined: not before a call has ended */
	nextStart(now: number): number | undefined {
		if (this.underWay >= Math.max(1, Math.round(this.windowAt(now)))) {
			this.round.full = true;
			return undefined;
		}
		return Math.max(now, this.pausedUntil, this.pacedFrom + 1000 / this.paceAt(now));
	}

	/** When the pause ends that the service asked for; in the past where there is none. */
	get pauseEnds(): number {
		return this.pausedUntil;
	}

	/** Notes that a call starts. Its end must be told, whatever it is. */
	start(now: number): StartedCall {
		if (now - this.lastStart > FORGET_AFTER_MS && this.underWay === 0) this.forget(now);
		this.firstStart ??= now;
		this.lastStart = now;
		this.underWay++;
		const isRateBounded = Number.isFinite(this.rate.at(now));
		const catchUpMs = isRateBounded ? CATCH_UP_MS : Math.max(CATCH_UP_MS, this.meanTook);
		this.pacedFrom = Math.max(this.pacedFrom + 1000 / this.paceAt(now), now - catchUpMs);
		this.accepted.push(now);
		return { startedAt: now, underWay: this.underWay };
	}

	/** @param busyMs how long this process has been at work so far, in milliseconds; unless told: not at all since */
	end(call: StartedCall, end: AttemptEnd, now: number, busyMs = this.busyMs): void {
		this.busyMs = busyMs;
		this.underWay--;
		if (end.kind === 'answered') this.answered(call, now);
		else if (end.kind === 'refused') this.refused(call, end.pauseMs, now);
		else if (end.kind === 'faulty') this.round.faulty++;
		if (this.isRoundOver(call, now)) this.endRound(now);
	}

	/** About one round trip, and enough calls to tell. */
	private isRoundOver({ startedAt }: StartedCall, now: number): boolean {
		const { began, underWayAtStart, answered, refused, faulty } = this.round;
		const ended = answered + refused + faulty;
		// All of the first calls: the half that ends first is quicker than the service.
		const enough =
			this.meanTook === 0
				? Math.min(FIRST_WINDOW, this.underWay + ended)
				: Math.min(ENOUGH_CALLS, Math.max(underWayAtStart, this.underWay) / 2);
		return startedAt >= began && now - began >= SHORTEST_ROUND_MS && ended >= enough;
	}

	private answered(call: StartedCall, now: number): void {
		const took = Math.max(SHORTEST_TRIP_MS, now - call.startedAt);
		this.lastTook = took;
		this.round.answered++;
		this.answeredSinceCut++;
		this.round.took += took;
		if (!this.isStarting) return;
		if (took > this.allowed(SLOW_CALL)) this.isStarting = false;
		else if (2 * this.underWay >= this.window) this.window = Math.min(this.window + 1, MAX_WINDOW);
	}

	private refused(call: StartedCall, pauseMs: number | undefined, now: number): void {
		this.round.refused++;
		this.refusedSinceCut++;
		const own = this.accepted.lastIndexOf(call.startedAt);
		if (own >= 0) this.accepted.splice(own, 1);
		if (pauseMs !== undefined) {
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(pauseMs, MAX_PAUSE_MS));
		}
		const hasSettled = now - this.lastCut >= Math.max(SHORTEST_CUT_MS, this.meanTook);
		if (call.startedAt >= this.lastCut && hasSettled) this.cut(call, pauseMs !== undefined, now);
	}

	/** Falls below what was reached. */
	private cut(call: StartedCall, hasPause: boolean, now: number): void {
		const from = Math.max(now, this.pausedUntil);
		const window = this.windowAt(now);
		this.cutRate(call.startedAt, hasPause, from, now);
		const reached = Math.max(1, Math.min(window, call.underWay - 1));
		const implied = (this.rate.at(now) * this.meanTook) / 1000;
		if (this.answeredSinceCut === 0) this.accepting.cutBlindly(Math.max(1, window / 2), from);
		else if (this.meanTook === 0 || reached > implied / 2) {
			const part = this.refusedSinceCut > this.answeredSinceCut ? 0.5 : 1;
			this.accepting.cut(reached, part * WINDOW_AFTER_REFUSAL * reached, from, false);
		}
		this.isStarting = false;
		this.look = undefined;
		this.lastCut = now;
		this.answeredSinceCut = 0;
		this.refusedSinceCut = 0;
		this.pacedFrom = Math.max(this.pacedFrom, now);
	}

	private cutRate(startedAt: number, hasPause: boolean, from: number, now: number): void {
		const rate = this.rate.at(now);
		const accepted = this.startsWithin(RATE_SPAN_MS, startedAt);
		if (accepted === 0) {
			this.rate.cutBlindly(Math.max(LEAST_RATE, Math.min(PROBE_RATE, rate / 2)), from);
			return;
		}
		const known = Math.min(RATE_SPAN_MS, startedAt - (this.firstStart ?? startedAt));
		const recent = Math.max(this.meanTook, SHORTEST_CUT_MS);
		const reached = Math.min(
			rate,
			Math.max(accepted / Math.max(known, 1), this.startsWithin(recent, startedAt) / recent) * 1000,
		);
		if (hasPause) {
			const least = Math.min(rate, (CERTAIN * accepted * 1000) / RATE_SPAN_MS);
			this.rate.cut(known < SURE_MS ? reached : least, least, from, true);
		} else if (known >= SHORTEST_CUT_MS) this.rate.cut(reached, reached, from, false);
	}

	/** Starts in the time before, without those that were refused. */
	private startsWithin(ms: number, before: number): number {
		return this.accepted.filter((at) => at > before - ms && at <= before).length;
	}

	private endRound(now: number): void {
		const finished = this.round;
		const { began, underWayAtStart, answered, refused, faulty, took, full } = finished;
		this.round = emptyRound(now, this.underWay, this.busyMs);
		this.accepted = this.accepted.filter((at) => at > now - 2 * RATE_SPAN_MS);
		if (answered === 0) return;
		if (refused === 0) {
			this.accepting.grow(now);
			this.rate.grow(now);
		}
		const mean = took / answered;
		this.meanTook = mean;
		this.ownDelayMs = this.ownDelay(finished, now);
		const isLooking = this.look?.rounds === 1;
		if (mean <= this.quickest || isLooking) {
			this.quickest = mean;
			this.quickestAt = now;
		}
		const carried = (answered / (now - began)) * this.quickest;
		if (this.look) {
			this.look.rounds--;
			if (this.look.rounds > 0) return;
			if (mean < OWN_QUEUE * this.look.mean) this.nextLookAt = now + BASELINE_LASTS_MS;
			this.window = this.look.window;
			this.look = undefined;
			return;
		}
		if (faulty > MANY_FAULTS * (answered + faulty)) {
			this.isStarting = false;
			this.window = Math.max(LEAST_FOR_LATENCY, this.window * SHRINK_A_ROUND);
			return;
		}
		if (this.isStarting) {
			if (full && carried < 0.5 * underWayAtStart) this.isStarting = false;
			else return;
		}
		this.slowRounds = mean > this.allowed(SLOW_ROUND) ? this.slowRounds + 1 : 0;
		const mayLook = now >= this.nextLookAt;
		if (full && (this.slowRounds === 0 || !mayLook)) {
			const growth = this.growth(mean);
			const least = growth < 1 ? Math.max(this.window * SHRINK_A_ROUND, LEAST_FOR_LATENCY) : this.window;
			this.window = Math.min(MAX_WINDOW, Math.max(underWayAtStart * growth, least));
		}
		const isStale = now - this.quickestAt > BASELINE_LASTS_MS && mean > 1.1 * this.quickest;
		if (mayLook && (this.slowRounds >= SLOW_ROUNDS || isStale)) {
			this.slowRounds = 0;
			this.look = { rounds: 2, window: this.window, mean };
			this.window = Math.max(1, carried / 2);
		}
	}

	/** The latency of the quickest round and a part of it, or the least delay of one's own; and what this process delays. */
	private allowed(part: number): number {
		return this.quickest + Math.max(part * this.quickest, OWN_DELAY_MS) + this.ownDelayMs;
	}

	/** Latency that one's own delay explains does not shrink the window, but lets it grow only half. */
	private growth(mean: number): number {
		const allowed = this.allowed(QUEUE_PART);
		if (mean > allowed) return allowed / mean;
		const forGrowth = allowed - (1 - OWN_PART_TO_GROW) * this.ownDelayMs;
		return Math.max(1, Math.min(GROWTH_A_ROUND, forGrowth / mean));
	}

	/** What a call waited for this process, as in a queue with one server; at most until all others were worked through. */
	private ownDelay({ began, busyMs, underWayAtStart, answered }: Round, now: number): number {
		const busy = this.busyMs - busyMs;
		const ofOneCall = busy / answered;
		const part = Math.min(MOST_BUSY, busy / (now - began));
		return Math.min(underWayAtStart * ofOneCall, (OWN_STEPS * ofOneCall * part) / (1 - part));
	}

	private windowAt(now: number): number {
		return Math.min(this.window, this.accepting.at(now));
	}

	/** Calls a second. */
	private paceAt(now: number): number {
		const known = Math.min(this.meanTook, this.lastTook);
		const roundTrip = known > 0 || this.isStarting ? known : SHORTEST_CUT_MS;
		return Math.min((PACE * this.windowAt(now) * 1000) / roundTrip, this.rate.at(now));
	}

	private forget(now: number): void {
		Object.assign(this, new CallController(now), { pausedUntil: this.pausedUntil });
	}
}

function emptyRound(now: number, underWayAtStart: number, busyMs: number): Round {
	return {
		began: now,
		busyMs,
		underWayAtStart,
		answered: 0,
		refused: 0,
		faulty: 0,
		took: 0,
		full: false,
	};
}
