import type { CallEnd, Limiter } from './client.ts';

interface Slot {
	startedAt: number;
	inFlight: number;
}

/** What the published algorithms have in common: a window, and that no call starts during a pause. */
abstract class WindowLimiter implements Limiter<Slot> {
	protected window = 20;
	private inFlight = 0;
	private pausedUntil = 0;

	nextStart(now: number): number {
		return this.inFlight < Math.floor(this.window) ? Math.max(now, this.pausedUntil) : Infinity;
	}

	acquire(now: number): Slot {
		return { startedAt: now, inFlight: ++this.inFlight };
	}

	release(slot: Slot, end: CallEnd, now: number): void {
		this.inFlight--;
		if (end.kind === 'throttled') this.pausedUntil = Math.max(this.pausedUntil, now + (end.pauseMs ?? 0));
		this.learn(slot, end.kind, now);
		this.window = Math.min(200, Math.max(1, this.window));
	}

	/** What the end of a call does to the window. */
	protected abstract learn(slot: Slot, end: CallEnd['kind'], now: number): void;
}

/** Netflix concurrency-limits, AIMDLimit: 20 at first, × 0.9 on a drop, +1 while at least half is in use. */
export class Aimd extends WindowLimiter {
	protected learn({ inFlight }: Slot, end: CallEnd['kind']): void {
		if (end === 'throttled') this.window *= 0.9;
		else if (end === 'responded' && inFlight * 2 >= this.window) this.window++;
	}
}

/** Netflix concurrency-limits, Gradient2Limit with its defaults. */
export class Gradient2 extends WindowLimiter {
	private long = 0;
	private samples = 0;

	protected learn({ startedAt, inFlight }: Slot, end: CallEnd['kind'], now: number): void {
		if (end === 'failed') return;
		const short = Math.max(now - startedAt, 0.1);
		this.long += (short - this.long) * (++this.samples <= 10 ? 1 / this.samples : 2 / 601);
		if (this.long / short > 2) this.long *= 0.95;
		if (inFlight < this.window / 2) return;
		const gradient = end === 'throttled' ? 0.5 : Math.max(0.5, Math.min(1, (1.5 * this.long) / short));
		this.window = Math.max(20, 0.8 * this.window + 0.2 * (this.window * gradient + 4));
	}
}
