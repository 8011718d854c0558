import { CallError } from '../errors/failure';

/**
 * Waits for work no longer than until a signal is aborted. The work itself is not stopped.
 *
 * @throws the reason of the signal once that is aborted
 */
export async function abortable<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
	if (!signal) return await work;
	signal.throwIfAborted();
	return await new Promise<T>((resolve, reject) => {
		const stop = () => reject(signal.reason);
		signal.addEventListener('abort', stop);
		const ended = work.then(resolve, reject);
		void ended.finally(() => signal.removeEventListener('abort', stop));
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
	const leftMs = Math.ceil(deadline - performance.now());
	// Every call does this: a timeout signal costs next to nothing when the work ends first, a sleep would have to be cut short.
	const overtime = AbortSignal.timeout(Math.max(0, leftMs));
	return await abortable(work, overtime).catch((reason: unknown) => {
		if (reason !== overtime.reason) throw reason;
		throw new CallError({ kind: 'connection', code: 'ETIMEDOUT' });
	});
}
