import { setTimeout as sleep } from 'node:timers/promises';

type Found<T> = Exclude<T, undefined | false>;

/**
 * Looks again until something is there.
 *
 * @param look finds it, or says that it holds
 * @param withinMs no figure: only how long is waited before something is taken for never coming
 * @throws that names what has not come, or what `look` throws
 */
export async function eventually<T>(
	what: string,
	look: () => T | Promise<T>,
	withinMs = 120_000,
	everyMs = 250,
): Promise<Found<T>> {
	const end = performance.now() + withinMs;
	for (;;) {
		const found = await look();
		if (found !== undefined && found !== false) return found as Found<T>;
		if (performance.now() > end) {
			throw new Error(`Waited for ${withinMs / 1000} s in vain: ${what}.`);
		}
		await sleep(everyMs);
	}
}
