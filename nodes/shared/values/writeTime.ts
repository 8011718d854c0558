import { MINUTE, offsetMs, partsOf, readTimestamp } from './timestamp';
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
	const { milliseconds } = clockAt(ms);
	return writeSent(ms, zone, `.${milliseconds}`);
}

/** Writes an instant with the offset of a zone, `Z` for none. */
export function writeSent(ms: number, zone: string, decimals: string): string {
	const text = writeIn(zone, ms, decimals);
	return text.replace(/\+00:00$/, 'Z');
}

/** @param decimals of the second, with their point; those that are all zeros are left out */
export function writeIn(zone: string, ms: number, decimals = ''): string {
	const ahead = offsetAt(ms, zone);
	const { day, minute, second } = clockAt(ms + ahead);
	let text = `${day}T${minute}:${second}`;
	if (/[1-9]/.test(decimals)) text += decimals;
	return text + offsetText(ahead);
}

function offsetText(ahead: number): string {
	const sign = ahead < 0 ? '-' : '+';
	return sign + clockAt(Math.abs(ahead)).minute;
}

/** Writes an instant as `received` is written: with its offset or, without one, as a local time, and with as many decimals. */
function writeLike(received: string, ms: number, zone: string): string {
	const parts = partsOf(received);
	const offset = offsetLike(received, ms, zone);
	const ahead = offset === undefined ? offsetAt(ms, zone) : offsetMs(offset);
	const { day, minute, second, milliseconds } = clockAt(ms + ahead);
	const separator = received.charAt(day.length);
	let text = day + separator + minute;
	const hasSeconds = parts?.second !== undefined || ms % MINUTE !== 0;
	if (hasSeconds) text += `:${second}`;
	const length = parts?.fraction?.length ?? 0;
	if (length > 0) {
		const decimals = milliseconds.padEnd(length, '0');
		text += `.${decimals.slice(0, length)}`;
	}
	return text + (offset ?? '');
}

/** @returns the offset of `received`; if that is the zone's, the one that the zone has at the instant; undefined for none */
function offsetLike(received: string, ms: number, zone: string): string | undefined {
	const offset = partsOf(received)?.offset;
	if (offset === undefined || offset.length === 1) return offset;
	const receivedAt = readTimestamp(received, zone)?.ms ?? NaN;
	const isOfZone = offsetMs(offset) === offsetAt(receivedAt, zone);
	if (!isOfZone) return offset;
	const own = offsetText(offsetAt(ms, zone));
	if (offset.includes(':')) return own;
	const digits = own.replace(':', '');
	return digits.slice(0, offset.length);
}

/** What a clock shows. */
interface Clock {
	day: string;
	/** Hours and minutes, `18:30`. */
	minute: string;
	second: string;
	milliseconds: string;
}

/** @returns what a clock in UTC shows at an instant */
function clockAt(ms: number): Clock {
	const iso = new Date(ms).toISOString();
	return {
		day: iso.slice(0, 10),
		minute: iso.slice(11, 16),
		second: iso.slice(17, 19),
		milliseconds: iso.slice(20, 23),
	};
}
