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

/** Prints what was measured beside the target. */
export function report(what: string, value: number, most: number, details = ''): void {
	const also = details && ` (${details})`;
	console.log(
		`${what}: ${value.toFixed(2)}, at most ${most}${also}: ${value <= most ? 'reached' : 'MISSED'}`,
	);
}
