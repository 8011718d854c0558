/** Which of two versions of a record is the later one. */
import sortBy from 'lodash/sortBy';

import { HOUR, SECOND, isNearClockChange } from '../../shared/values/timestamp';
import { isUnchangedSinceCreation } from '../events/recordKinds';
import type { Known, Observed } from '../events/rule';
import { KeyMap } from '../../shared/values/keys';

/** Clocks within the service may differ by so much. */
export const SKEW_MS = 3 * SECOND;

/** @returns the newest version of each record, oldest change first; records without a timestamp come last */
export function newestOfEach(observed: readonly Observed[]): Observed[] {
	const oldestFirst = sortBy(observed, (version) => version.changed?.ms ?? Infinity);
	const newest = new KeyMap<string, Observed>();
	for (const version of oldestFirst) {
		newest.set(version.id, version);
	}
	return Array.from(newest.values());
}

/**
 * Whether a record is shown as it was before it was last seen, which a replica of the service that lags behind does. Versions only go
 * forward, but for a few seconds of skew and the hours of a clock change.
 */
export function isOlderThanKnown(observed: Observed, known: Known, zone: string): boolean {
	const { changed } = observed;
	if (!changed) return false;
	const { ms, isLocal } = changed;
	const newest = known.newest * SECOND;
	const isAmbiguous = isLocal && isNearClockChange(ms, zone);
	if (isAmbiguous) return ms + 2 * HOUR < newest;
	if (ms + SKEW_MS < newest) return true;
	// A booking as it was made is older than any change of it.
	const second = Math.floor(ms / SECOND);
	if (second >= known.newest) return false;
	return isUnchangedSinceCreation(observed);
}
