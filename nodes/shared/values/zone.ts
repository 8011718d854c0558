import { IANAZone } from 'luxon';

import { RecentMap } from './recentMap';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Offsets at the beginning and the end of days, by zone: looking them up is slow. Enough for 54 years of one zone. */
const days = new RecentMap<[begin: number, end: number]>(20_000);

/**
 * @param ms an instant, in milliseconds since 1970 UTC
 * @param zone IANA name
 * @returns milliseconds by which the zone is ahead of UTC. Only on the few days on which the offset changes is each instant
 * looked up.
 */
export function offsetAt(ms: number, zone: string): number {
	const day = Math.floor(ms / DAY);
	const [begin, end] = days.open(`${day} ${zone}`, () => [
		lookUp(day * DAY, zone),
		lookUp((day + 1) * DAY, zone),
	]);
	return begin === end ? begin : lookUp(ms, zone);
}

function lookUp(ms: number, zone: string): number {
	return IANAZone.create(zone).offset(ms) * MINUTE;
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
