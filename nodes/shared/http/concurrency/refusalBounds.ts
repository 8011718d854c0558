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
const SHORTEST_CUT_MS = 100;
/** Where nothing gets through: calls a second, halved with each refusal down to the least. */
const PROBE_RATE = 2;
const LEAST_RATE = 0.5;

/** A call that was refused, and what was known then. Times are milliseconds of the controller's clock. */
interface Refusal {
	startedAt: number;
	/** Calls under way when it started, itself included. */
	underWay: number;
	hasPause: boolean;
	/** When calls may start again: the end of the pause, else now. */
	from: number;
	/** Calls at once that were allowed. */
	window: number;
	/** What a call took on average; 0 while nothing is known. */
	meanTook: number;
}

/**
 * Calls at once and calls a second, as far as refusals tell: both fall below what was reached, and return along a cubic
 * curve (after CUBIC).
 */
export class RefusalBounds {
	private readonly window = new Bound(WINDOW_AFTER_REFUSAL);
	private readonly rate = new Bound(RATE_AFTER_REFUSAL);
	private answeredSinceCut = 0;
	private refusedSinceCut = 0;
	private lastCut = Number.NEGATIVE_INFINITY;
	private firstStart: number | undefined;
	/** Start times of the last second, without calls that were refused. */
	private accepted: number[] = [];

	/** @returns the most calls at once */
	windowAt(now: number): number {
		return this.window.at(now);
	}

	/** @returns the most calls a second */
	rateAt(now: number): number {
		return this.rate.at(now);
	}

	started(now: number): void {
		this.firstStart ??= now;
		this.accepted.push(now);
	}

	answered(): void {
		this.answeredSinceCut++;
	}

	/** @returns whether it pulled the bounds down: the first of those that were under way together does */
	refused(refusal: Refusal, now: number): boolean {
		const { startedAt, meanTook } = refusal;
		this.refusedSinceCut++;
		const own = this.accepted.lastIndexOf(startedAt);
		if (own >= 0) this.accepted.splice(own, 1);
		const hasSettled = now - this.lastCut >= Math.max(SHORTEST_CUT_MS, meanTook);
		if (startedAt < this.lastCut || !hasSettled) return false;
		this.cutRate(refusal, now);
		this.cutWindow(refusal, now);
		this.lastCut = now;
		this.answeredSinceCut = 0;
		this.refusedSinceCut = 0;
		return true;
	}

	/** @param isClean whether calls were answered and none was refused */
	endRound(isClean: boolean, now: number): void {
		this.accepted = this.accepted.filter((at) => at > now - 2 * RATE_SPAN_MS);
		if (!isClean) return;
		this.window.grow(now);
		this.rate.grow(now);
	}

	private cutWindow({ window, underWay, meanTook, from }: Refusal, now: number): void {
		const reached = Math.max(1, Math.min(window, underWay - 1));
		const implied = (this.rate.at(now) * meanTook) / 1000;
		if (this.answeredSinceCut === 0) this.window.cutBlindly(Math.max(1, window / 2), from);
		else if (meanTook === 0 || reached > implied / 2) {
			const part = this.refusedSinceCut > this.answeredSinceCut ? 0.5 : 1;
			this.window.cut(reached, part * WINDOW_AFTER_REFUSAL * reached, from, false);
		}
	}

	private cutRate({ startedAt, hasPause, from, meanTook }: Refusal, now: number): void {
		const rate = this.rate.at(now);
		const accepted = this.startsWithin(RATE_SPAN_MS, startedAt);
		if (accepted === 0) {
			this.rate.cutBlindly(Math.max(LEAST_RATE, Math.min(PROBE_RATE, rate / 2)), from);
			return;
		}
		const known = Math.min(RATE_SPAN_MS, startedAt - (this.firstStart ?? startedAt));
		const recent = Math.max(meanTook, SHORTEST_CUT_MS);
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
