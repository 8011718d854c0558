import { sleep } from 'n8n-workflow';

/**
 * Waits for work no longer than until a signal is aborted. The work itself is not stopped.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	signal?.throwIfAborted();
	let stop = () => {};
	const aborted = new Promise<never>((_, reject) => {
		stop = () => reject(signal?.reason);
		signal?.addEventListener('abort', stop);
	});
	try {
		return await Promise.race([work, aborted]);
	} finally {
		signal?.removeEventListener('abort', stop);
	}
}

/** Created once: an error for each alarm would cost more than the alarm. */
const NOT_NEEDED = new Error('The alarm is not needed any more');

/** Wakes once, at the earliest of the times that were set since it last did. */
export class Alarm {
	private set: { at: number; off: AbortController } | undefined;

	constructor(private readonly wake: () => void) {}

	wakeAt(at: number, now: number): void {
		if (this.set && this.set.at <= at) return;
		this.silence();
		const set = { at, off: new AbortController() };
		this.set = set;
		void sleep(Math.max(0, Math.ceil(at - now)), set.off.signal).then(
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
