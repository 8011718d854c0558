import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The value below which this part of the others lies. */
export function quantile(values: readonly number[], part: number): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** A target that was set beforehand, and whether this run has reached it. */
export function verdict(isReached: boolean): string {
	return isReached ? 'reached' : 'MISSED';
}

/** Twice as much takes twice the time, and a little for the memory. */
export const MOST_RATIO = 2.3;
const ROUNDS = 9;
/** What takes less says nothing. */
const LEAST_MS = 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Runs each a few times in turns.
 *
 * @returns for each the least milliseconds of the processor: what else runs on the machine counts little
 */
export async function timesOf(runs: ReadonlyArray<() => unknown>): Promise<number[]> {
	const least = runs.map(() => Infinity);
	for (let done = 0; done < ROUNDS; done++)
		for (const [index, run] of runs.entries()) {
			collectGarbage();
			const start = process.cpuUsage();
			await run();
			const { user, system } = process.cpuUsage(start);
			least[index] = Math.min(least[index] ?? Infinity, (user + system) / 1_000);
		}
	return least;
}

/** @returns how many times as long the second took as the first */
export function ratioOf([half = Number.NaN, whole = Number.NaN]: readonly number[]): number {
	return Math.max(whole, LEAST_MS) / Math.max(half, LEAST_MS);
}
