import sortBy from 'lodash/sortBy.js';

/** The value below which this part of the others lies. */
export function quantile(values: readonly number[], part: number): number {
	return (
		sortBy(values)[Math.min(values.length - 1, Math.floor(part * values.length))] ?? Number.NaN
	);
}

/** Prints what was measured beside the target. */
export function report(what: string, value: number, most: number, details = ''): void {
	const also = details && ` (${details})`;
	console.log(
		`${what}: ${value.toFixed(2)}, at most ${most}${also}: ${value <= most ? 'reached' : 'MISSED'}`,
	);
}
