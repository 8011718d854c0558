import type { Known, Observed } from '../rule';

/**
 * Identifies a change of values, whatever else changes before a poll finds it. The number of changes that were seen before is part of it,
 * since A → B → A → B is two changes to B.
 */
export function keyOfChange({ values }: Observed, before: Known | undefined): string {
	const earlier = before?.values.slice(0, values.length) ?? [];
	return JSON.stringify([earlier, values, countOf(before, values.length)]);
}

/** @returns what is remembered of a record: its values, and how many changes of them were seen */
export function withChangeCount(
	{ values, until }: Observed,
	before: Known | undefined,
): Pick<Observed, 'values' | 'until'> {
	const hasChanged =
		before !== undefined &&
		before.values.length > 0 &&
		values.some((value, index) => value !== before.values[index]);
	const count = countOf(before, values.length) + Number(hasChanged);
	return { values: [...values, count], until };
}

/** The count follows the values. */
function countOf(before: Known | undefined, valueCount: number): number {
	return before?.values[valueCount] ?? 0;
}
