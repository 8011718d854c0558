import { IANAZone } from 'luxon';

import { InvalidValueError, requiredText } from './invalidValue';
import { shown } from './plainText';
import { RecentMap } from './recentMap';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The clocks of no zone change twice within these days. */
const BLOCK = 16 * DAY;
const [FIRST, LAST] = [Date.UTC(2000, 0), Date.UTC(2101, 0)];
/** After this time, dates fall on the same days of the week. */
const CYCLE = 28 * 365.25 * DAY;

/** Offsets before and after a moment, in milliseconds. */
interface Block {
	begin: number;
	end: number;
	changesAt: number;
}

/** By zone: looking an offset up is slow, and there are some 2,300 blocks in the years that are looked up. */
const zones = new RecentMap<Map<number, Block>>(20);

/**
 * @param ms an instant, in milliseconds since 1970 UTC
 * @param zone IANA name
 * @returns milliseconds by which the zone is ahead of UTC. Outside of the years 2000 to 2100 it is the offset of a year with the
 * same calendar within them.
 */
export function offsetAt(ms: number, zone: string): number {
	const blocks = zones.open(zone, () => new Map<number, Block>());
	const within = ms < FIRST ? ms + cycles(FIRST - ms) : ms >= LAST ? ms - cycles(ms - LAST + 1) : ms;
	const index = Math.floor(within / BLOCK);
	let block = blocks.get(index);
	if (!block) blocks.set(index, (block = readBlock(index * BLOCK, zone)));
	return within < block.changesAt ? block.begin : block.end;
}

function cycles(distance: number): number {
	return Math.ceil(distance / CYCLE) * CYCLE;
}

function readBlock(from: number, zone: string): Block {
	const [begin, end] = [lookUp(from, zone), lookUp(from + BLOCK, zone)];
	let [before, changesAt] = [from, from + BLOCK];
	while (begin !== end && changesAt - before > 1) {
		const middle = Math.floor((before + changesAt) / 2);
		if (lookUp(middle, zone) === begin) before = middle;
		else changesAt = middle;
	}
	return { begin, end, changesAt };
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

/**
 * The zone of the times of a field that have no offset, in both directions.
 *
 * @param field its name in the contract, or a path that ends with it
 * @param timeZone of the credential
 */
export function zoneOf(field: string, timeZone: string): string {
	return /Utc$/i.test(field) ? 'UTC' : timeZone;
}

/**
 * @param zone Time Zone of a credential
 * @throws InvalidValueError when there is none, or it is not a time zone of the IANA list
 */
export function checkTimeZone(zone: unknown): string {
	const name = requiredText(zone, 'Time Zone', "Choose 'Time Zone' in the credential");
	if (IANAZone.isValidZone(name)) return name;
	throw new InvalidValueError(
		'Time Zone',
		`is '${shown(name)}', which is not a known time zone`,
		'Choose one from the list in the credential, e.g. Europe/Stockholm or UTC',
	);
}
