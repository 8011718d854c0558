import type { Known, Observed } from '../rule';

/**
 * Identifies a change of values, whatever else changes before a poll finds it: by the earlier values, the new ones, and how many changes
 * were seen before, since A → B → A → B is two changes to B.
 */
export function keyOfChange(observed: Observed, before: Known | undefined): string {
	const { values } = observed;
	const earlier = before?.values.slice(0, values.length) ?? [];
	return JSON.stringify([earlier, values, countOf(before, values.length)]);
}

/** @returns what is remembered of a record: its values, and how many changes of them were seen */
export function withChangeCount(
	observed: Observed,
	before: Known | undefined,
): Pick<Observed, 'values' | 'until'> {
	const { values, until } = observed;
	const count = countOf(before, values.length);
	const hasChanged = isDifferent(observed, before);
	return { values: values.concat(hasChanged ? count + 1 : count), until };
}

/** Whether values differ from what was last seen of a record. */
export function isDifferent(observed: Observed, before: Known | undefined): boolean {
	if (!before || before.values.length === 0) return false;
	return observed.values.some((value, index) => value !== before.values[index]);
}

/** The count follows the values. */
function countOf(before: Known | undefined, valueCount: number): number {
	return before?.values[valueCount] ?? 0;
}
