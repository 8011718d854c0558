import { MINUTE, SECOND, type TimestampParts, offsetMs, partsOf, readTimestamp } from './timestamp';
import { offsetAt } from './zone';

/*
 * How a time is sent. `dateTime.ts` reads what a person entered and writes it by `writeSent`; what a node computes is written by
 * `writeTime`.
 */

/**
 * Writes a time that a node computes. A query is written like the field that it is compared with, as the service last wrote that
 * field; before any was received, in the credential's zone with its offset, and with milliseconds if there are any.
 *
 * @param zone of the field, see `zoneOf`
 * @param received a time of the field as the service has written it
 */
export function writeTime(ms: number, zone: string, received?: string): string {
	if (received !== undefined) return writeLike(received, ms, zone);
	const hasMilliseconds = ms % SECOND !== 0;
	const decimals = hasMilliseconds ? isoText(ms).slice(19, 23) : '';
	return writeSent(ms, zone, decimals);
}

/** Writes an instant with the offset of a zone, `Z` for none. */
export function writeSent(ms: number, zone: string, decimals: string): string {
	return writeIn(zone, ms, decimals).replace(/\+00:00$/, 'Z');
}

/** @param decimals of the second, with their point; those that are all zeros are left out */
export function writeIn(zone: string, ms: number, decimals = ''): string {
	const ahead = offsetAt(ms, zone);
	const local = isoText(ms + ahead).slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
	const shownDecimals = /[1-9]/.test(decimals) ? decimals : '';
	return local + shownDecimals + offsetText(ahead);
}

function offsetText(ahead: number): string {
	const sign = ahead < 0 ? '-' : '+';
	const iso = isoText(Math.abs(ahead));
	const hoursAndMinutes = iso.slice(11, 16);
	return sign + hoursAndMinutes;
}

const NO_PARTS: Partial<TimestampParts> = {};

/** Writes an instant as `received` is written: with its offset or, without one, as a local time, and with as many decimals. */
function writeLike(received: string, ms: number, zone: string): string {
	const { second, fraction = '' } = partsOf(received) ?? NO_PARTS;
	const offset = offsetLike(received, ms, zone);
	const ahead = offset === undefined ? offsetAt(ms, zone) : offsetMs(offset);
	const iso = isoText(ms + ahead);
	const separator = received.charAt('yyyy-mm-dd'.length);
	let text = iso.slice(0, 10) + separator + iso.slice(11, 16);
	if (second !== undefined || ms % MINUTE !== 0) text += iso.slice(16, 19);
	if (fraction !== '') {
		const milliseconds = iso.slice(20, 23);
		const decimals = milliseconds.padEnd(fraction.length, '0');
		text += `.${decimals.slice(0, fraction.length)}`;
	}
	return text + (offset ?? '');
}

/** @returns the offset of `received`; if that is the zone's, the one that the zone has at the instant; undefined for none */
function offsetLike(received: string, ms: number, zone: string): string | undefined {
	const { offset } = partsOf(received) ?? NO_PARTS;
	if (offset === undefined || offset.length === 1) return offset;
	const receivedAt = readTimestamp(received, zone)?.ms ?? NaN;
	const isOfZone = offsetMs(offset) === offsetAt(receivedAt, zone);
	if (!isOfZone) return offset;
	const own = offsetText(offsetAt(ms, zone));
	return offset.includes(':') ? own : own.replace(':', '').slice(0, offset.length);
}

/** @returns `2026-11-28T17:30:00.000Z` */
function isoText(ms: number): string {
	return new Date(ms).toISOString();
}
