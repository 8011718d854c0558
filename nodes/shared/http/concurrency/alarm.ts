import { sleep } from 'n8n-workflow';

/**
 * A promise that a signal rejects.
 *
 * @param start returns what to undo in that case
 */
export async function abortable<T>(
	signal: AbortSignal | undefined,
	start: (resolve: (value: T) => void, reject: (reason: unknown) => void) => () => void,
): Promise<T> {
	signal?.throwIfAborted();
	let stop: (() => void) | undefined;
	try {
		return await new Promise<T>((resolve, reject) => {
			const undo = start(resolve, reject);
			stop = () => {
				undo();
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', stop, { once: true });
		});
	} finally {
		if (stop) signal?.removeEventListener('abort', stop);
	}
}

/** Made once: an error of its own for each alarm would cost more than the alarm. */
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
