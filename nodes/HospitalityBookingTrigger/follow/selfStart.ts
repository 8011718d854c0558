import max from 'lodash/max';
import orderBy from 'lodash/orderBy';

import type { Position } from '../state/stored';
import type { Notice } from './pollResponse';

/** A record that has changed at each of so many polls is reported. */
const MANY_POLLS = 10;
/** So many records are counted at most. */
const MAX_COUNTED = 100;

/**
 * Counts polls that emit the same record again and again, as they do if the workflow itself changes the record.
 *
 * @param before the counts as of the last poll
 * @param emitted the IDs of the records that this poll emits
 */
export function countPolls(
	before: Position['pollsInARow'],
	emitted: readonly string[],
): Position['pollsInARow'] {
	const counts: Record<string, number> = {};
	for (const id of emitted) counts[id] = (before[id] ?? 0) + 1;
	const entries = Object.entries(counts);
	const longestFirst = orderBy(entries, 1, 'desc');
	const counted = longestFirst.slice(0, MAX_COUNTED);
	return Object.fromEntries(counted);
}

/** @returns the notice of a workflow that seems to start itself */
export function selfStartNotices(counts: Position['pollsInARow'], name: string): Notice[] {
	const most = max(Object.values(counts)) ?? 0;
	if (most < MANY_POLLS) return [];
	const text = `the same ${name} has changed at each of the last ${MANY_POLLS} polls. If this workflow updates it, the workflow starts itself: see 'When the workflow updates what it starts with' in docs/trigger.md`;
	return [{ kind: 'echo', text }];
}
