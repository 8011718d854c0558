import { HOUR, SECOND, isNearClockChange } from '../../shared/values/timestamp';
import { isAsMade } from '../events/kinds';
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
	let newest = 0;
	for (const { changed } of observed)
		if (changed && changed.ms < now + SECOND) newest = Math.max(newest, changed.ms);
	return newest;
}

/**
 * Whether a record is shown as it was before what was last seen of it, as a replica of the service that lags behind shows it. Versions
 * only go forward, but for a few seconds of skew and the hours of a clock change. A booking as it was made is older than any change of it.
 */
export function isStale(observed: Observed, { newest }: Known, zone: string): boolean {
	const { changed } = observed;
	if (!changed) return false;
	if (isAsMade(observed) && Math.floor(changed.ms / SECOND) < newest) return true;
	const isAmbiguous = changed.isLocal && isNearClockChange(changed.ms, zone);
	const toleranceMs = isAmbiguous ? 2 * HOUR : SKEW_MS;
	return changed.ms + toleranceMs < newest * SECOND;
}
