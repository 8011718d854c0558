import type { Known, Observed } from '../events/rule';
import { isOlderThanKnown } from './changeOrder';

/**
 * Prevents a second emission. Each poll looks back over the overlap, so it lists records that an earlier poll has listed: a version that
 * was seen then is skipped, and so is one that is older than what was seen.
 *
 * `state/table.ts` remembers the versions. `poll/poll.ts` emits nothing from a state that n8n may be about to replace.
 */
export function wasSeenBefore(observed: Observed, known: Known, zone: string): boolean {
	if (isOlderThanKnown(observed, known, zone)) return true;
	const { version } = observed;
	if (version === undefined) return false;
	return known.versions.includes(version);
}
