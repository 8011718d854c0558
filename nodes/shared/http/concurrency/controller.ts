import { FIRST_WINDOW, LatencyWindow, type Round } from './latencyWindow';
import { RefusalBounds } from './refusalBounds';

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

/** Shorter is not measured: latency is divided by. */
const SHORTEST_TRIP_MS = 0.1;
const SHORTEST_ROUND_MS = 20;
/** As many ends make a round, or half of what is under way. */
const ENOUGH_CALLS = 8;
/** Starts are spread over the round trip, a little faster than the window alone would have them. */
const PACE = 1.25;
/** The round trip that starts are spread over when none is known after a refusal. */
const UNKNOWN_TRIP_MS = 100;
/** How far starts may catch up after timers that came late: up to a round trip unless the rate is bounded. */
const CATCH_UP_MS = 20;
/** Longest pause that is kept for the whole account. */
export const MAX_PAUSE_MS = 600_000;
/** What was learned is forgotten after this long without a call, but for the pause. */
const FORGET_AFTER_MS = 60_000;

/**
 * Decides how many calls of one account may be under way and when the next may start. A pure state machine: all times are
 * passed in, as milliseconds of one clock.
 *
 * Three things bound the calls: latency ({@link LatencyWindow}), refusals ({@link RefusalBounds}), and `Retry-After`,
 * before whose end no call starts.
 *
 * @see docs/bench.md for how it compares with published algorithms
 */
export class CallController {
	private readonly latency = new LatencyWindow();
	private readonly refusals = new RefusalBounds();
	private underWay = 0;
	private busyMs = 0;
	private round: Round;
	private pausedUntil = Number.NEGATIVE_INFINITY;
	/** Where the spacing of starts counts from: the last start, or a little less after a late timer. */
	private pacedFrom = Number.NEGATIVE_INFINITY;
	private lastStart = Number.NEGATIVE_INFINITY;

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
		this.lastStart = now;
		this.underWay++;
		const isRateBounded = Number.isFinite(this.refusals.rateAt(now));
		const catchUpMs = isRateBounded ? CATCH_UP_MS : Math.max(CATCH_UP_MS, this.latency.meanTook);
		this.pacedFrom = Math.max(this.pacedFrom + 1000 / this.paceAt(now), now - catchUpMs);
		this.refusals.started(now);
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

	private answered(call: StartedCall, now: number): void {
		const took = Math.max(SHORTEST_TRIP_MS, now - call.startedAt);
		this.round.answered++;
		this.round.took += took;
		this.refusals.answered();
		this.latency.answered(took, this.underWay);
	}

	private refused({ startedAt, underWay }: StartedCall, pauseMs: number | undefined, now: number): void {
		this.round.refused++;
		if (pauseMs !== undefined) {
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(pauseMs, MAX_PAUSE_MS));
		}
		const refusal = {
			startedAt,
			underWay,
			hasPause: pauseMs !== undefined,
			from: Math.max(now, this.pausedUntil),
			window: this.windowAt(now),
			meanTook: this.latency.meanTook,
		};
		if (!this.refusals.refused(refusal, now)) return;
		this.latency.yieldToRefusal();
		this.pacedFrom = Math.max(this.pacedFrom, now);
	}

	/** About one round trip, and enough calls to tell. */
	private isRoundOver({ startedAt }: StartedCall, now: number): boolean {
		const { began, underWayAtStart, answered, refused, faulty } = this.round;
		const ended = answered + refused + faulty;
		// All of the first calls: the half that ends first is quicker than the service.
		const enough =
			this.latency.meanTook === 0
				? Math.min(FIRST_WINDOW, this.underWay + ended)
				: Math.min(ENOUGH_CALLS, Math.max(underWayAtStart, this.underWay) / 2);
		return startedAt >= began && now - began >= SHORTEST_ROUND_MS && ended >= enough;
	}

	private endRound(now: number): void {
		const finished = this.round;
		this.round = emptyRound(now, this.underWay, this.busyMs);
		const hasAnswers = finished.answered > 0;
		this.refusals.endRound(hasAnswers && finished.refused === 0, now);
		if (hasAnswers) this.latency.endRound(finished, now, this.busyMs);
	}

	private windowAt(now: number): number {
		return Math.min(this.latency.size, this.refusals.windowAt(now));
	}

	/** Calls a second. */
	private paceAt(now: number): number {
		const { roundTrip, isStarting } = this.latency;
		const spreadOver = roundTrip > 0 || isStarting ? roundTrip : UNKNOWN_TRIP_MS;
		return Math.min((PACE * this.windowAt(now) * 1000) / spreadOver, this.refusals.rateAt(now));
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
