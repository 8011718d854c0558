import { IANAZone } from 'luxon';
import clamp from 'lodash/clamp';

import { InvalidValueError, requiredText } from './invalidValue';
import { quoted } from './plainText';
import { RecentMap } from './recentMap';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The clocks of no zone change twice within these days. */
const BLOCK = 16 * DAY;
/** Before and after nobody knows what clocks show, and looking it up takes five times as long. */
const FIRST_KNOWN = Date.UTC(1900, 0);
const LAST_KNOWN = Date.UTC(2100, 0);
/** Looking an offset up is slow: of each block it is remembered before and after the clock is changed, some 23 for each zone and year. */
const blocks = new RecentMap<Block>(5_000);

/** The offsets of a zone within a block: one until its clocks are changed, another one after. */
interface Block {
	before: number;
	changedAt: number;
	after: number;
}

/**
 * @param ms an instant, in milliseconds since 1970 UTC
 * @param zone IANA name
 * @returns milliseconds by which the zone is ahead of UTC
 */
export function offsetAt(ms: number, zone: string): number {
	const known = clamp(ms, FIRST_KNOWN, LAST_KNOWN);
	const begin = Math.floor(known / BLOCK) * BLOCK;
	const key = `${begin} ${zone}`;
	const block = blocks.open(key, () => readBlock(begin, zone));
	return known < block.changedAt ? block.before : block.after;
}

function readBlock(begin: number, zone: string): Block {
	let from = begin;
	let to = begin + BLOCK;
	const before = lookUp(from, zone);
	const after = lookUp(to, zone);
	while (before !== after && to - from > 1) {
		const middle = Math.floor((from + to) / 2);
		if (lookUp(middle, zone) === before) from = middle;
		else to = middle;
	}
	return { before, changedAt: to, after };
}

function lookUp(ms: number, zone: string): number {
	const minutes = IANAZone.create(zone).offset(ms);
	return minutes * MINUTE;
}

/**
 * The instant of a local time, by the offset on its date. A time that occurs twice is the first of the two; one that is
 * skipped is read as if the clock had not changed.
 *
 * @param local the local time as if it were UTC, in milliseconds since 1970
 */
export function instantOf(local: number, zone: string): number {
	const before = offsetAt(local - DAY, zone);
	const after = offsetAt(local + DAY, zone);
	const first = local - before;
	const second = local - after;
	const isFirst = offsetAt(first, zone) === before;
	const isSecond = offsetAt(second, zone) === after;
	return isSecond && !isFirst ? second : first;
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
		`is '${quoted(name)}', which is not a known time zone`,
		'Choose one from the list in the credential, e.g. Europe/Stockholm or UTC',
	);
}
