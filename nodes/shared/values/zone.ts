import { IANAZone } from 'luxon';

import { RecentMap } from './recentMap';

const MINUTE = 60_000;
const QUARTER_HOUR = 15 * MINUTE;
const DAY = 24 * 60 * MINUTE;

/** Cached offsets of time zones: looking them up is slow. */
const offsets = new RecentMap<number>(20_000);

/**
 * @param ms an instant, in milliseconds since 1970 UTC
 * @param zone IANA name
 * @returns milliseconds by which the zone is ahead of UTC. Offsets only change on the quarter hour: one look-up serves all
 * instants within it.
 */
export function offsetAt(ms: number, zone: string): number {
	const quarter = Math.floor(ms / QUARTER_HOUR);
	return offsets.open(
		`${quarter} ${zone}`,
		() => IANAZone.create(zone).offset(quarter * QUARTER_HOUR) * MINUTE,
	);
}

/**
 * The instant of a local time, by the offset on its date. A time that occurs twice is the first of the two; one that is
 * skipped is read as if the clock had not changed.
 *
 * @param local the local time as if it were UTC, in milliseconds since 1970
 */
export function instantOf(local: number, zone: string): { ms: number; isSkipped: boolean } {
	const [before, after] = [offsetAt(local - DAY, zone), offsetAt(local + DAY, zone)];
	const offset = [before, after].find((own) => offsetAt(local - own, zone) === own);
	return { ms: local - (offset ?? before), isSkipped: offset === undefined };
}
