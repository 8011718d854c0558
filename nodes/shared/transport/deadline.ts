import { CallError } from '../errors/callFault';

/** A timer of Node takes no more. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/**
 * Waits for work no longer than until a deadline. The work itself is not stopped.
 *
 * @param deadline milliseconds since 1970; undefined: waits as long as it takes
 * @throws CallError with `ETIMEDOUT` when the deadline passes first
 */
export async function byDeadline<T>(work: Promise<T>, deadline: number | undefined): Promise<T> {
	if (deadline === undefined) return await work;
	// Unlike a sleep that is cut short, a signal that is let go of costs next to nothing: this is done for every response.
	const overtime = AbortSignal.timeout(Math.min(Math.max(0, deadline - Date.now()), MAX_WAIT_MS));
	let end = () => {};
	const tooLate = new Promise<never>((_, reject) => {
		end = () => reject(new CallError({ kind: 'connection', code: 'ETIMEDOUT' }));
		overtime.addEventListener('abort', end);
	});
	try {
		return await Promise.race([work, tooLate]);
	} finally {
		overtime.removeEventListener('abort', end);
	}
}
