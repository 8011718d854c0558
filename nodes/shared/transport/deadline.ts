import { sleep } from 'n8n-workflow';

/** No response came before a deadline. */
export class DeadlineError extends Error {
	override name = 'DeadlineError';
}

/**
 * Waits for work no longer than until a deadline. The work itself is not stopped.
 *
 * @param deadline milliseconds since 1970; undefined: waits as long as it takes
 * @throws DeadlineError when the deadline passes first
 */
export async function byDeadline<T>(work: Promise<T>, deadline: number | undefined): Promise<T> {
	if (deadline === undefined) return await work;
	const done = new AbortController();
	const tooLate = async (): Promise<never> => {
		await sleep(Math.max(0, deadline - Date.now()), done.signal);
		throw new DeadlineError('No response came in time');
	};
	try {
		return await Promise.race([work, tooLate()]);
	} finally {
		done.abort();
	}
}
