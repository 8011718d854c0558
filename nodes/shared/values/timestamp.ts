import { instantOf, offsetAt } from './zone';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const FORM =
	/^(?<day>\d{4}-\d\d-\d\d)[T ](?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?(?<offset>Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** The parts of a date-time, as they are written. */
interface TimestampParts {
	day: string;
	/** Hours and minutes. */
	minute: string;
	second?: string;
	fraction?: string;
	offset?: string;
}

/** @returns undefined for a text that is not written like a date-time */
export function partsOf(text: string): TimestampParts | undefined {
	const match = FORM.exec(text);
	return match?.groups as TimestampParts | undefined;
}

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
	const parts = partsOf(value);
	if (!parts) return undefined;
	const written = writtenMs(parts);
	if (Number.isNaN(written)) return undefined;
	if (parts.offset === undefined) {
		const ms = instantOf(written, zone);
		return { text: value, ms, isLocal: true };
	}
	const ms = written - offsetMs(parts.offset);
	return { text: value, ms, isLocal: false };
}

/** @returns what is written as if it were UTC; NaN for a day that its month does not have, and for an hour that no day has */
function writtenMs(parts: TimestampParts): number {
	const { day, minute, second = '00', fraction = '' } = parts;
	const decimals = fraction.slice(0, 3).padEnd(3, '0');
	const ms = Date.parse(`${day}T${minute}:${second}.${decimals}Z`);
	// A day that is too late would become one of the next month.
	const isOtherDay = new Date(ms).getUTCDate() !== Number(day.slice('yyyy-mm-'.length));
	return isOtherDay ? NaN : ms;
}

/**
 * Reads when something happened, as {@link readTimestamp} does.
 *
 * @returns null for no date, which services also write as a date before 1970; undefined for one that cannot be read
 */
export function readMoment(value: unknown, zone: string): Timestamp | null | undefined {
	if (value === null || value === undefined) return null;
	const moment = readTimestamp(value, zone);
	const isBefore1970 = moment && moment.ms < 0;
	return isBefore1970 ? null : moment;
}

/** @returns the later of the two moments that a local time means when it occurs twice; otherwise its own */
export function latestOf(timestamp: Timestamp, zone: string): number {
	const { ms, isLocal } = timestamp;
	if (!isLocal) return ms;
	const local = ms + offsetAt(ms, zone);
	// A clock is set back by an hour, somewhere by half of one.
	for (const later of [ms + HOUR, ms + HOUR / 2]) {
		if (later + offsetAt(later, zone) === local) return later;
	}
	return ms;
}

/** Whether a local time may mean two moments, or none: within three hours of a change of the zone's clock. */
export function isNearClockChange(ms: number, zone: string): boolean {
	const before = offsetAt(ms - 3 * HOUR, zone);
	const after = offsetAt(ms + 3 * HOUR, zone);
	return before !== after;
}

/** @returns an instant as text, in UTC, e.g. `2026-12-24T18:00:00Z` */
export function isoOf(ms: number): string {
	return new Date(ms).toISOString().replace('.000', '');
}

/** @param text an offset as it is written: `Z`, `+01:00`, `+0100` or `+01` */
export function offsetMs(text: string): number {
	if (text.length === 1) return 0;
	const digits = text.slice(1).replace(':', '');
	const hours = Number(digits.slice(0, 2));
	const minutes = Number(digits.slice(2));
	const ms = hours * HOUR + minutes * MINUTE;
	return text.startsWith('-') ? -ms : ms;
}
