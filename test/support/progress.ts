import pWaitFor from 'p-wait-for';

const LOOK_EVERY_MS = 250;
/** For what takes its time: a backoff, a thousand items, a start of n8n. */
export const PATIENT_MS = 600_000;

type Found<T> = Exclude<T, undefined | false>;

/**
 * Looks again until something is there.
 *
 * @param look finds it, or says that it holds
 * @param withinMs no figure: only how long is waited before something is taken for never coming
 * @throws that names what has not come
 */
export async function eventually<T>(
	what: string,
	look: () => T | Promise<T>,
	withinMs = 120_000,
): Promise<Found<T>> {
	return await pWaitFor<Found<T>>(
		async () => {
			const found = await look();
			return found !== undefined && found !== false && pWaitFor.resolveWith(found as Found<T>);
		},
		{
			interval: LOOK_EVERY_MS,
			timeout: {
				milliseconds: withinMs,
				message: `Waited for ${withinMs / 1000} s in vain: ${what}.`,
			},
		},
	);
}

/** Prints a line of figures with the time of day. */
export function say(text: string): void {
	process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
