import { CallError } from '../errors/failure';

/**
 * Waits for work no longer than until a signal is aborted. The work itself is not stopped.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	signal?.throwIfAborted();
	return await new Promise<T>((resolve, reject) => {
		const stop = () => reject(signal?.reason);
		signal?.addEventListener('abort', stop);
		void work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop));
	});
}

/**
 * Waits for work no longer than until a deadline. The work itself is not stopped.
 *
 * @param deadline on the clock of `performance.now()`, which nobody sets; undefined: waits as long as it takes
 * @throws CallError with `ETIMEDOUT` when the deadline passes first
 */
export async function byDeadline<T>(work: Promise<T>, deadline: number | undefined): Promise<T> {
	if (deadline === undefined) return await work;
	// Unlike a sleep that is cut short, a signal that is let go of costs next to nothing: this is done for every call.
	const leftMs = Math.max(0, Math.ceil(deadline - performance.now()));
	const overtime = AbortSignal.timeout(leftMs);
	return await abortable(work, overtime).catch((reason: unknown) => {
		if (reason !== overtime.reason) throw reason;
		throw new CallError({ kind: 'connection', code: 'ETIMEDOUT' });
	});
}
