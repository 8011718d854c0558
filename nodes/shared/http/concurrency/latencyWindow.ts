/** Calls at once before anything is known. */
export const FIRST_WINDOW = 9;
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
/** The window grows only while latency is above its bound by no more than this part of one's own delay. */
const OWN_PART_TO_GROW = 0.5;
const SHRINK_A_ROUND = 0.8;
/** A round trip over which the fast start grows twice as fast. */
const LONG_TRIP_MS = 250;
/** The first calls wait for the token too: this part of what they take is the call. */
const CALL_OF_FIRST = 0.5;
/** A call that takes longer than the quickest round by this part ends the fast start. */
const SLOW_CALL = 0.4;
/** Rounds that take longer by this part, so many on end, call for a look. */
const SLOW_ROUND = 0.7;
const SLOW_ROUNDS = 2;
/** Latency that falls to this part once fewer calls are under way was that of a queue of one's own. */
const OWN_QUEUE = 0.75;
const BASELINE_LASTS_MS = 10_000;
/** Faults of this part of a round count as push-back. */
const MANY_FAULTS = 0.1;

/** About one round trip of calls, in milliseconds of the controller's clock. */
export interface Round {
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

/**
 * Calls at once, as far as latency tells (after Gradient2): the window grows while a round takes little longer than the
 * quickest one, and shrinks beyond that. Where latency stays high, few calls for two rounds tell a queue from a slower
 * service (after BBR).
 */
export class LatencyWindow {
	/** Calls at once. */
	size = FIRST_WINDOW;
	/** Whether every answer still lets more calls start. */
	isStarting = true;
	/** What the calls of the last round took on average; 0 before the first. */
	meanTook = 0;
	private lastTook = 0;
	/** What the last round's calls waited for this process itself. */
	private ownDelayMs = 0;
	private quickest = Number.POSITIVE_INFINITY;
	private quickestAt = 0;
	private slowRounds = 0;
	/** Rounds left of a look at the latency without a queue, and the window to return to. */
	private look: { rounds: number; window: number; mean: number } | undefined;
	/** No look before: the last one has shown that the queue is one's own. */
	private nextLookAt = Number.NEGATIVE_INFINITY;

	/** What a call takes now; 0 before anything is known. */
	get roundTrip(): number {
		return Math.min(this.meanTook, this.lastTook);
	}

	/** @param underWay calls, without this one */
	answered(took: number, underWay: number): void {
		this.lastTook = took;
		if (!this.isStarting) return;
		if (took > this.allowed(SLOW_CALL)) this.isStarting = false;
		else if (2 * underWay >= this.size) this.size = Math.min(this.size + this.startGrowth(took), MAX_WINDOW);
	}

	/** The service has refused a call: latency has the say again once that is over. */
	yieldToRefusal(): void {
		this.isStarting = false;
		this.look = undefined;
	}

	/**
	 * @param round with at least one answer
	 * @param busyMs how long this process had been at work when it ended
	 */
	endRound(round: Round, now: number, busyMs: number): void {
		const { began, underWayAtStart, answered, faulty, took, full } = round;
		const mean = took / answered;
		this.meanTook = mean;
		this.ownDelayMs = ownDelay(round, now, busyMs);
		if (mean <= this.quickest || this.look?.rounds === 1) {
			this.quickest = mean;
			this.quickestAt = now;
		}
		const carried = (answered / (now - began)) * this.quickest;
		if (this.look) {
			this.goOnLooking(this.look, mean, now);
		} else if (faulty > MANY_FAULTS * (answered + faulty)) {
			this.isStarting = false;
			this.size = Math.max(LEAST_FOR_LATENCY, this.size * SHRINK_A_ROUND);
		} else if (!this.isStarting || (full && carried < 0.5 * underWayAtStart)) {
			this.isStarting = false;
			this.adjust(round, mean, carried, now);
		}
	}

	/** A window grows with each answer, so over long trips too slowly: there two at a time (after TCP Hybla). */
	private startGrowth(took: number): number {
		const roundTrip = Number.isFinite(this.quickest) ? this.quickest : took * CALL_OF_FIRST;
		return roundTrip >= LONG_TRIP_MS ? 2 : 1;
	}

	private goOnLooking(look: NonNullable<typeof this.look>, mean: number, now: number): void {
		look.rounds--;
		if (look.rounds > 0) return;
		if (mean < OWN_QUEUE * look.mean) this.nextLookAt = now + BASELINE_LASTS_MS;
		this.size = look.window;
		this.look = undefined;
	}

	/** @param carried calls at once that the service has worked through at its quickest */
	private adjust({ underWayAtStart, full }: Round, mean: number, carried: number, now: number): void {
		this.slowRounds = mean > this.allowed(SLOW_ROUND) ? this.slowRounds + 1 : 0;
		const mayLook = now >= this.nextLookAt;
		if (full && (this.slowRounds === 0 || !mayLook)) {
			const growth = this.growth(mean);
			const least = growth < 1 ? Math.max(this.size * SHRINK_A_ROUND, LEAST_FOR_LATENCY) : this.size;
			this.size = Math.min(MAX_WINDOW, Math.max(underWayAtStart * growth, least));
		}
		const isStale = now - this.quickestAt > BASELINE_LASTS_MS && mean > 1.1 * this.quickest;
		if (mayLook && (this.slowRounds >= SLOW_ROUNDS || isStale)) {
			this.slowRounds = 0;
			this.look = { rounds: 2, window: this.size, mean };
			this.size = Math.max(1, carried / 2);
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
}

/** What a call waited for this process: calls come in bursts, and each waits for the work on the others. */
function ownDelay(
	{ began, busyMs: busyBefore, underWayAtStart, answered }: Round,
	now: number,
	busyMs: number,
): number {
	const busy = busyMs - busyBefore;
	const busyPart = Math.min(1, busy / (now - began));
	return underWayAtStart * (busy / answered) * busyPart;
}
