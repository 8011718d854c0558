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
