import type { Known, Observed, Remembered } from '../rule';

/**
 * Identifies a change of values, whatever else changes before a poll finds it: by the earlier values, the new ones, and how many changes
 * were seen before, since A → B → A → B is two changes to B.
 */
export function keyOfChange(observed: Observed, before: Known | undefined): string {
	const { values } = observed;
	const earlier = before?.values.slice(0, values.length) ?? [];
	const count = countOf(before, values.length);
	return JSON.stringify([earlier, values, count]);
}

/** @returns what is remembered of a record: its values, and how many changes of them were seen */
export function withChangeCount(observed: Observed, before: Known | undefined): Remembered {
	const { values, until } = observed;
	let count = countOf(before, values.length);
	if (isDifferent(observed, before)) count++;
	return { values: values.concat(count), until };
}

/** Whether values differ from what was last seen of a record. */
export function isDifferent(observed: Observed, before: Known | undefined): boolean {
	const earlier = before?.values ?? [];
	if (earlier.length === 0) return false;
	return observed.values.some((value, index) => value !== earlier[index]);
}

/** The count follows the values. */
function countOf(before: Known | undefined, valueCount: number): number {
	return before?.values[valueCount] ?? 0;
}
