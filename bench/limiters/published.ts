import type { Limiter } from './client.ts';

interface Call {
	startedAt: number;
	underWay: number;
}

type End = Parameters<Limiter<Call>['release']>[1];

const MOST = 200;
const LONGEST_PAUSE_MS = 60_000;

/** What the algorithms that keep a window have in common; each says what an end does to the window. */
abstract class WindowLimiter implements Limiter<Call> {
	protected window: number;
	protected underWay = 0;
	private pausedUntil = 0;

	constructor(window: number) {
		this.window = window;
	}

	nextStart(now: number): number {
		return this.underWay < Math.floor(this.window)
			? Math.max(now, this.pausedUntil)
			: Number.POSITIVE_INFINITY;
	}

	acquire(now: number): Call {
		return { startedAt: now, underWay: ++this.underWay };
	}

	release(call: Call, end: End, now: number): void {
		this.underWay--;
		if (end.kind === 'throttled' && end.pauseMs !== undefined)
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(end.pauseMs, LONGEST_PAUSE_MS));
		this.learn(call, end, now);
		this.window = Math.min(MOST, Math.max(1, this.window));
	}

	protected abstract learn(call: Call, end: End, now: number): void;
}

/** Netflix concurrency-limits, AIMDLimit: 20 at first, × 0.9 on a drop, +1 while at least half is in use. */
export class Aimd extends WindowLimiter {
	constructor() {
		super(20);
	}

	protected learn({ underWay }: Call, { kind }: End): void {
		if (kind === 'throttled') this.window *= 0.9;
		else if (kind === 'responded' && underWay * 2 >= this.window) this.window++;
	}
}

/** Netflix concurrency-limits, Gradient2Limit with its defaults. */
export class Gradient2 extends WindowLimiter {
	private long = 0;
	private samples = 0;

	constructor() {
		super(20);
	}

	protected learn({ startedAt, underWay }: Call, { kind }: End, now: number): void {
		if (kind === 'failed') return;
		const short = Math.max(now - startedAt, 0.1);
		this.samples++;
		if (this.samples <= 10) this.long += (short - this.long) / this.samples;
		else this.long += (short - this.long) * (2 / 601);
		if (this.long / short > 2) this.long *= 0.95;
		if (underWay < this.window / 2) return;
		const gradient = kind === 'throttled' ? 0.5 : Math.max(0.5, Math.min(1, (1.5 * this.long) / short));
		this.window = Math.max(20, 0.8 * this.window + 0.2 * (this.window * gradient + 4));
	}
}
