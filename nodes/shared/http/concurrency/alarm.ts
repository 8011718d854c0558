/** Made once: an error of its own for each alarm would cost more than the alarm. */
const NOT_NEEDED = new Error('The alarm is not needed any more');

/** Wakes once, at the earliest of the times that were set since it last did. */
export class Alarm {
	private set: { at: number; off: AbortController } | undefined;

	constructor(
		private readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>,
		private readonly wake: () => void,
	) {}

	wakeAt(at: number, now: number): void {
		if (this.set && this.set.at <= at) return;
		this.silence();
		const set = { at, off: new AbortController() };
		this.set = set;
		void this.sleep(Math.max(0, Math.ceil(at - now)), set.off.signal).then(
			() => {
				if (this.set === set) this.set = undefined;
				this.wake();
			},
			() => undefined,
		);
	}

	silence(): void {
		this.set?.off.abort(NOT_NEEDED);
		this.set = undefined;
	}
}
