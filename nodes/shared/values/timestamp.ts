import { instantOf, offsetAt } from './zone';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const FORM =
	/^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** A date-time as the service writes it: ISO 8601, perhaps without an offset (contract/openapi.yaml, 'format: date-time'). */
export interface Timestamp {
	/** As received. */
	text: string;
	/** Milliseconds since 1970 UTC, rounded down. */
	ms: number;
	/** Whether it has no offset. */
	isLocal: boolean;
}

/**
 * Reads a date-time of the service.
 *
 * Without an offset it is a local time of `zone`. A local time that occurs twice in autumn is read as the first of the
 * two, which keeps the order of local times.
 *
 * @returns undefined for anything that is not a date-time
 */
export function readTimestamp(value: unknown, zone: string): Timestamp | undefined {
	if (typeof value !== 'string') return undefined;
	const parts = FORM.exec(value);
	if (!parts) return undefined;
	const [, day = '', minute, second = '00', fraction = '', offset] = parts;
	const decimals = fraction.slice(0, 3).padEnd(3, '0');
	const written = Date.parse(`${day}T${minute}:${second}.${decimals}Z`);
	// A day that its month does not have would become one of the next month.
	const isDay = new Date(written).getUTCDate() === Number(day.slice(8));
	if (Number.isNaN(written) || !isDay) return undefined;
	if (offset === undefined) return { text: value, ms: instantOf(written, zone), isLocal: true };
	return { text: value, ms: written - offsetMs(offset), isLocal: false };
}

/**
 * Reads when something happened, as {@link readTimestamp} does.
 *
 * @returns null for no date, which services also write as a date before 1970; undefined for one that cannot be read
 */
export function readMoment(value: unknown, zone: string): Timestamp | null | undefined {
	if (value === null || value === undefined) return null;
	const moment = readTimestamp(value, zone);
	return moment && moment.ms < 0 ? null : moment;
}

/** @returns the later of the two moments that a local time means when it occurs twice; otherwise its own */
export function latestOf({ ms, isLocal }: Timestamp, zone: string): number {
	if (!isLocal) return ms;
	const localTime = (moment: number) => moment + offsetAt(moment, zone);
	// A clock is set back by an hour, somewhere by half of one.
	const later = [ms + HOUR, ms + HOUR / 2];
	return later.find((moment) => localTime(moment) === localTime(ms)) ?? ms;
}

/** Whether a local time may mean two moments, or none: within three hours of a change of the zone's clock. */
export function isNearClockChange(ms: number, zone: string): boolean {
	return offsetAt(ms - 3 * HOUR, zone) !== offsetAt(ms + 3 * HOUR, zone);
}

/** @returns an instant as text, in UTC, e.g. `2026-12-24T18:00:00Z` */
export function isoOf(ms: number): string {
	return new Date(ms).toISOString().replace('.000', '');
}

/** Writes an instant in the form of `like`, a date-time: with its offset, or as a local time of `zone`, and with as many decimals. */
export function writeLike(like: string, ms: number, zone: string): string {
	const [, , , second, fraction = '', offset] = FORM.exec(like) ?? [];
	const ahead = offset === undefined ? offsetAt(ms, zone) : offsetMs(offset);
	const iso = new Date(ms + ahead).toISOString();
	let text = iso.slice(0, 10) + like.charAt(10) + iso.slice(11, 16);
	if (second !== undefined || ms % MINUTE !== 0) text += iso.slice(16, 19);
	const decimals = iso.slice(20, 23).padEnd(fraction.length, '0').slice(0, fraction.length);
	if (decimals !== '') text += `.${decimals}`;
	return text + (offset ?? '');
}

function offsetMs(text: string): number {
	if (text.length === 1) return 0;
	const [, hours, minutes = '0'] = /^[+-](\d\d):?(\d\d)?$/.exec(text) ?? [];
	const ms = Number(hours) * HOUR + Number(minutes) * MINUTE;
	return text.startsWith('-') ? -ms : ms;
}
