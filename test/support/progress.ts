import pWaitFor from 'p-wait-for';

const LOOK_EVERY_MS = 200;

/**
 * Waits until something holds.
 *
 * @param patienceMs no figure: only how long is waited before something is taken for never coming
 * @throws that names what has not come to be
 */
export async function until(
	what: string,
	holds: () => boolean | Promise<boolean>,
	patienceMs = 600_000,
): Promise<void> {
	const message = `It did not come to be that ${what}.`;
	await pWaitFor(holds, { interval: LOOK_EVERY_MS, timeout: { milliseconds: patienceMs, message } });
}

/** Prints a line of figures with the time of day. */
export function say(text: string): void {
	process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
