import type { Limiter } from './client.ts';

interface Call {
	startedAt: number;
	underWay: number;
}

type End = Parameters<Limiter<Call>['end']>[1];

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

	nextStart(now: number): number | undefined {
		return this.underWay < Math.floor(this.window) ? Math.max(now, this.pausedUntil) : undefined;
	}

	start(now: number): Call {
		return { startedAt: now, underWay: ++this.underWay };
	}

	end(call: Call, end: End, now: number): void {
		this.underWay--;
		if (end.kind === 'refused' && end.pauseMs !== undefined)
			this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(end.pauseMs, LONGEST_PAUSE_MS));
		this.learn(call, end, now);
		this.window = Math.min(MOST, Math.max(1, this.window));
	}

	protected abstract learn(call: Call, end: End, now: number): void;
}

/** So many at once, whatever happens. */
export class Fixed extends WindowLimiter {
	protected learn(): void {}
}

/** Netflix concurrency-limits, AIMDLimit: 20 at first, × 0.9 on a drop, +1 while at least half is in use. */
export class Aimd extends WindowLimiter {
	constructor() {
		super(20);
	}

	protected learn({ underWay }: Call, { kind }: End): void {
		if (kind === 'refused') this.window *= 0.9;
		else if (kind === 'answered' && underWay * 2 >= this.window) this.window++;
	}
}

/** Netflix concurrency-limits, VegasLimit with its defaults. */
export class Vegas extends WindowLimiter {
	private shortest = Number.POSITIVE_INFINITY;

	constructor() {
		super(20);
	}

	protected learn({ startedAt, underWay }: Call, { kind }: End, now: number): void {
		const step = Math.max(1, Math.log10(this.window));
		if (kind === 'refused') {
			this.window -= step;
			return;
		}
		if (kind !== 'answered') return;
		const took = Math.max(now - startedAt, 0.1);
		this.shortest = Math.min(this.shortest, took);
		if (underWay * 2 < this.window) return;
		const queue = Math.ceil(this.window * (1 - this.shortest / took));
		if (queue <= step) this.window += 6 * step;
		else if (queue < 3 * step) this.window += step;
		else if (queue > 6 * step) this.window -= step;
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
		if (kind === 'faulty') return;
		const short = Math.max(now - startedAt, 0.1);
		this.samples++;
		if (this.samples <= 10) this.long += (short - this.long) / this.samples;
		else this.long += (short - this.long) * (2 / 601);
		if (this.long / short > 2) this.long *= 0.95;
		if (underWay < this.window / 2) return;
		const gradient = kind === 'refused' ? 0.5 : Math.max(0.5, Math.min(1, (1.5 * this.long) / short));
		this.window = Math.max(20, 0.8 * this.window + 0.2 * (this.window * gradient + 4));
	}
}

/** Vector's Adaptive Request Concurrency: one decision a round trip. */
export class Arc extends WindowLimiter {
	private past: { mean: number; variance: number } | undefined;
	private decideAt = 0;
	private sum = 0;
	private count = 0;
	private wasFull = false;
	private pushedBack = false;

	constructor() {
		super(1);
	}

	override nextStart(now: number): number | undefined {
		const at = super.nextStart(now);
		this.wasFull ||= at === undefined;
		return at;
	}

	protected learn({ startedAt }: Call, { kind }: End, now: number): void {
		if (kind === 'refused') this.pushedBack = true;
		else {
			this.sum += now - startedAt;
			this.count++;
		}
		if (now < this.decideAt) return;
		const current = this.count > 0 ? this.sum / this.count : (this.past?.mean ?? 0);
		const past = this.past ?? { mean: current, variance: 0 };
		const limit = past.mean + 2.5 * Math.sqrt(past.variance);
		if (this.pushedBack || current > Math.max(limit, past.mean + 1)) this.window *= 0.9;
		else if (this.wasFull && current <= past.mean + 1) this.window++;
		if (this.count > 0) {
			const off = current - past.mean;
			this.past = { mean: past.mean + 0.4 * off, variance: 0.6 * (past.variance + 0.4 * off * off) };
		}
		this.decideAt = now + (this.past?.mean ?? 0);
		this.sum = 0;
		this.count = 0;
		this.wasFull = false;
		this.pushedBack = false;
	}
}

/** AWS SDK, adaptive retry mode: a token bucket that the first refusal switches on; without it 200 at once. */
export class AwsAdaptive implements Limiter<Call> {
	private underWay = 0;
	private pausedUntil = 0;
	private isOn = false;
	private fill = Number.POSITIVE_INFINITY;
	private tokens = 0;
	private filledAt = 0;
	private measured = 0;
	private sent = 0;
	private bucket = 0;
	private mostRate = 0;
	private window = 0;
	private refusedAt = 0;

	nextStart(now: number): number | undefined {
		if (this.underWay >= MOST) return undefined;
		const free = Math.max(now, this.pausedUntil);
		if (!this.isOn) return free;
		this.refill(now);
		return this.tokens >= 1 ? free : Math.max(free, now + ((1 - this.tokens) / this.fill) * 1000);
	}

	start(now: number): Call {
		if (this.isOn) {
			this.refill(now);
			this.tokens--;
		}
		return { startedAt: now, underWay: ++this.underWay };
	}

	end(_call: Call, end: End, now: number): void {
		this.underWay--;
		this.measure(now);
		if (end.kind === 'refused') {
			if (end.pauseMs !== undefined)
				this.pausedUntil = Math.max(this.pausedUntil, now + Math.min(end.pauseMs, LONGEST_PAUSE_MS));
			const rate = this.isOn ? Math.min(this.measured, this.fill) : this.measured;
			this.mostRate = rate;
			this.window = Math.cbrt((this.mostRate * 0.3) / 0.4);
			this.refusedAt = now;
			this.isOn = true;
			this.setFill(0.7 * rate, now);
		} else {
			const seconds = (now - this.refusedAt) / 1000;
			if (this.isOn) this.setFill(0.4 * (seconds - this.window) ** 3 + this.mostRate, now);
		}
	}

	private setFill(rate: number, now: number): void {
		this.refill(now);
		this.fill = Math.max(0.5, Math.min(rate, 2 * this.measured));
		this.tokens = Math.min(this.tokens, Math.max(1, this.fill));
	}

	private refill(now: number): void {
		if (Number.isFinite(this.fill)) {
			const capacity = Math.max(1, this.fill);
			this.tokens = Math.min(capacity, this.tokens + ((now - this.filledAt) / 1000) * this.fill);
		}
		this.filledAt = now;
	}

	/** Answers a second, smoothed over half seconds. */
	private measure(now: number): void {
		const bucket = Math.floor(now / 500) / 2;
		this.sent++;
		if (bucket <= this.bucket) return;
		this.measured = 0.8 * (this.sent / (bucket - this.bucket)) + 0.2 * this.measured;
		this.sent = 0;
		this.bucket = bucket;
	}
}
