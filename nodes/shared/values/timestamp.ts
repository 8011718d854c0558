import { instantOf, offsetAt } from './zone';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
const FORM =
	/^(?<day>\d{4}-\d\d-\d\d)[T ](?<minute>\d\d:\d\d)(?::(?<second>\d\d)(?:\.(?<fraction>\d{1,9}))?)?(?<offset>Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** The parts of a date-time, as they are written. */
interface Parts {
	day: string;
	/** Hours and minutes. */
	minute: string;
	second?: string;
	fraction?: string;
	offset?: string;
}

function partsOf(text: string): Parts | undefined {
	return FORM.exec(text)?.groups as Parts | undefined;
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
	const isLocal = parts.offset === undefined;
	const ms = isLocal ? instantOf(written, zone) : written - offsetMs(parts.offset);
	return { text: value, ms, isLocal };
}

/** @returns what is written as if it were UTC; NaN for a day that its month does not have, and for an hour that no day has */
function writtenMs(parts: Parts): number {
	const second = parts.second ?? '00';
	const decimals = (parts.fraction ?? '').slice(0, 3).padEnd(3, '0');
	const ms = Date.parse(`${parts.day}T${parts.minute}:${second}.${decimals}Z`);
	// A day that is too late would become one of the next month.
	const day = Number(parts.day.slice('yyyy-mm-'.length));
	return new Date(ms).getUTCDate() === day ? ms : NaN;
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
	const parts = partsOf(like);
	const offset = parts?.offset;
	const ahead = offset === undefined ? offsetAt(ms, zone) : offsetMs(offset);
	const [day = '', time = ''] = new Date(ms + ahead).toISOString().split('T');
	let text = day + like.charAt(day.length) + time.slice(0, 'hh:mm'.length);
	const hasSeconds = parts?.second !== undefined || ms % MINUTE !== 0;
	if (hasSeconds) text += time.slice('hh:mm'.length, 'hh:mm:ss'.length);
	const length = parts?.fraction?.length ?? 0;
	const milliseconds = time.slice('hh:mm:ss.'.length, -1);
	if (length > 0) text += `.${milliseconds.padEnd(length, '0').slice(0, length)}`;
	return text + (offset ?? '');
}

/** @param text an offset as it is written: `Z`, `+01:00`, `+0100` or `+01` */
function offsetMs(text = 'Z'): number {
	if (text.length === 1) return 0;
	const digits = text.slice(1).replace(':', '');
	const hours = Number(digits.slice(0, 2));
	const minutes = Number(digits.slice(2));
	const ms = hours * HOUR + minutes * MINUTE;
	return text.startsWith('-') ? -ms : ms;
}
