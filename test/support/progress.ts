export { eventually } from '../../dev/eventually.ts';

/** For what takes its time: a backoff, a thousand items, a start of n8n. */
export const PATIENT_MS = 600_000;

/** Prints a line of figures with the time of day. */
export function say(text: string): void {
	process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}
