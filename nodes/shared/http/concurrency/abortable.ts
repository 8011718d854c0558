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
