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
