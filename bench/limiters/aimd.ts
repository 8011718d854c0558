import type { CallEnd, Limiter } from './client.ts';

/** Netflix concurrency-limits, AIMDLimit: 20 at first, × 0.9 on a drop, +1 while at least half is in use. No call starts during a pause. */
export class Aimd implements Limiter<number> {
	private window = 20;
	private inFlight = 0;
	private pausedUntil = 0;

	nextStart(now: number): number {
		return this.inFlight < Math.floor(this.window) ? Math.max(now, this.pausedUntil) : Infinity;
	}

	/** @returns how many calls are in flight with this one */
	acquire(): number {
		return ++this.inFlight;
	}

	release(inFlight: number, end: CallEnd, now: number): void {
		this.inFlight--;
		if (end.kind === 'throttled') {
			this.pausedUntil = Math.max(this.pausedUntil, now + (end.pauseMs ?? 0));
			this.window = Math.max(1, this.window * 0.9);
		} else if (end.kind === 'responded' && inFlight * 2 >= this.window) {
			this.window = Math.min(200, this.window + 1);
		}
	}
}
