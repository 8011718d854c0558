import max from 'lodash/max';

import { HOUR, SECOND, isNearClockChange } from '../../shared/values/timestamp';
import type { Known, Observed } from '../events/rule';

/** Clocks within the service may differ by so much. */
export const SKEW_MS = 3 * SECOND;

/**
 * How far before a moment to ask. Includes equal timestamps, because the service compares with *after*; two hours near a clock change,
 * because a local time may mean two moments.
 */
export function overlapAt(ms: number, zone: string, overlapMs = 0): number {
	const overlap = Math.max(overlapMs, SECOND);
	return isNearClockChange(ms, zone) ? Math.max(overlap + HOUR, 2 * HOUR) : overlap;
}

/** @returns the newest timestamp that the service's clock has reached, as one ahead of it is not believed; 0 for none */
export function newestOf(observed: readonly Observed[], now: number): number {
	return (
		max(observed.map(({ changed }) => (changed && changed.ms < now + SECOND ? changed.ms : 0))) ?? 0
	);
}

/**
 * Whether a record is shown as it was before what was last seen of it, as a replica of the service that lags behind shows it. Versions
 * only go forward, but for a few seconds of skew and the hours of a clock change.
 */
export function isStale({ changed }: Observed, { newest }: Known, zone: string): boolean {
	if (!changed) return false;
	const back = changed.isLocal && isNearClockChange(changed.ms, zone) ? 2 * HOUR : SKEW_MS;
	return changed.ms + back < newest * SECOND;
}
