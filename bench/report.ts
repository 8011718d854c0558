import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import mean from 'lodash/mean.js';
import sortBy from 'lodash/sortBy.js';

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const [sorted, middle] = [sortBy(values), values.length / 2];
	return mean([sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]);
}

/** The value below which this part of the others lies. */
export function quantile(values: readonly number[], part: number): number {
	return sortBy(values)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? Number.NaN;
}

/** What a run has measured: a line a target, printed at once and again at the end. */
export class Report {
	readonly lines: string[] = [];

	/**
	 * @param value that is measured
	 * @param most the target, which was set beforehand
	 * @param details what else was seen
	 */
	add(what: string, value: number, most: number, details = '', isReached = value <= most): void {
		const also = details && ` (${details})`;
		const line = `${what} ${value.toFixed(2)}, at most ${most}${also}: ${isReached ? 'reached' : 'MISSED'}`;
		this.lines.push(line);
		console.log(line);
	}
}

/** Twice as much takes twice the time, and a little for the memory. */
export const MOST_GROWTH = 2.3;
const ROUNDS = 9;
/** What takes less says nothing. */
const LEAST_MS = 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Does half of the work and all of it, a few times in turns.
 *
 * @param prepare returns what does so much of it
 * @returns the least milliseconds of the processor for each, as what else runs on the machine counts little in it, and how
 * many times as long the whole takes as the half
 */
export async function growthOf(size: number, prepare: (size: number) => () => unknown) {
	const works = [prepare(size / 2), prepare(size)];
	const times = works.map(() => Infinity);
	for (let done = 0; done < ROUNDS; done++)
		for (const [index, work] of works.entries()) {
			collectGarbage();
			const start = process.cpuUsage();
			await work();
			const { user, system } = process.cpuUsage(start);
			times[index] = Math.min(times[index] ?? Infinity, (user + system) / 1_000);
		}
	const [half = Number.NaN, whole = Number.NaN] = times;
	return { half, whole, ratio: Math.max(whole, LEAST_MS) / Math.max(half, LEAST_MS) };
}
