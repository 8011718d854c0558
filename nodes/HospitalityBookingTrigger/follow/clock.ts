import { HOUR, SECOND, isNearClockChange } from '../../shared/values/timestamp';
import type { Facts } from '../events/rule';
import type { Position } from '../state/stored';

/**
 * How far before a moment to ask. Includes equal timestamps, because the service compares with *after*; two hours near a clock change,
 * because a local time may mean two moments.
 */
export function overlapAt(ms: number, zone: string, overlapMs = 0): number {
	const overlap = Math.max(overlapMs, SECOND);
	if (!isNearClockChange(ms, zone)) return overlap;
	return Math.max(overlap + HOUR, 2 * HOUR);
}

/** @returns by how many milliseconds the service's clock was last ahead of n8n's; 0 where it tells none */
export function clockAhead({ latestDate }: Position): number {
	if (!latestDate) return 0;
	return latestDate.ms - latestDate.at;
}

/** @returns the newest timestamp that the service's clock has reached, as one ahead of it is not believed; 0 for none */
export function newestOf(records: ReadonlyArray<Pick<Facts, 'changed'>>, now: number): number {
	const latest = now + SECOND;
	let newest = 0;
	for (const { changed } of records) {
		const ms = changed?.ms ?? 0;
		if (ms > newest && ms < latest) newest = ms;
	}
	return newest;
}
