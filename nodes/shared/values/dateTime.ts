import { DateTime } from 'luxon';

import { InvalidValueError } from './invalidValue';
import { wrongKind } from './plainText';
import { DAY, HOUR, type Timestamp, readMoment, readTimestamp } from './timestamp';
import { writeIn, writeSent } from './writeTime';
import { instantOf, offsetAt } from './zone';

const HINT =
	'Enter a date and time, e.g. 2026-12-24T18:00 or 2026-12-24T18:00:00+01:00, or use the date picker';
const DAY_HINT =
	'Enter a date, e.g. 2026-12-24, or a date and time, e.g. 2026-12-24T18:00:00+01:00';
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const DATE = /^\d{4}-\d\d-\d\d$/;

/**
 * Converts a date and time that was entered to the form that is sent: ISO 8601 with the offset of its zone. A local time that occurs twice is the
 * first of the two; one that daylight saving skips is read as if the clock had not changed.
 *
 * @param value an ISO string, a luxon DateTime (from an expression) or a Date
 * @param label the parameter's name as displayed
 * @param zone of the field, see {@link zoneOf}
 * @param precision `day` to allow a date alone: the start of that day in `zone`
 * @throws InvalidValueError that names the parameter
 */
export function toServiceDateTime(
	value: unknown,
	label: string,
	zone: string,
	precision: 'dateTime' | 'day' = 'dateTime',
): string {
	const text = textOf(value);
	const isDay = DATE.test(text);
	const asTime = isDay ? `${text}T00:00` : text;
	const time = readTimestamp(asTime, zone);
	const hint = precision === 'day' ? DAY_HINT : HINT;
	if (!time) throw new InvalidValueError(label, wrongKind('a date and time', value), hint);
	if (isDay && precision !== 'day') {
		throw new InvalidValueError(label, 'is a date without a time', hint);
	}
	return writeSent(time.ms, zone, decimalsOf(time));
}

/** Whether a date and time has all that the service needs: seconds and an offset. */
export function isInstant(text: string): boolean {
	return INSTANT.test(text);
}

function textOf(value: unknown): string {
	if (DateTime.isDateTime(value)) return value.toISO({ suppressMilliseconds: true }) ?? '';
	if (typeof value === 'string') return value.trim();
	const isDate = value instanceof Date && !Number.isNaN(value.getTime());
	return isDate ? value.toISOString() : '';
}

/** @returns the decimals of the second as received, with their point; '' for none */
function decimalsOf(time: Timestamp): string {
	return /\.\d+/.exec(time.text)?.[0] ?? '';
}

/**
 * A day of a zone.
 *
 * @param time an instant of the day, ISO 8601 with an offset
 * @param endsAt hours after midnight at which a day begins and ends
 * @param shift milliseconds from what the clocks show at `time` to a time of the wanted day
 * @returns its first time, and the first of the next day
 */
export function dayIn(
	zone: string,
	time: string,
	endsAt = 0,
	shift = 0,
): { startTime: string; endTime: string } {
	const ms = Date.parse(time);
	const local = ms + offsetAt(ms, zone) + shift;
	const midnight = Math.floor(local / DAY) * DAY;
	const startsAt = midnight + endsAt * HOUR;
	const start = instantOf(startsAt, zone);
	const end = instantOf(startsAt + DAY, zone);
	return { startTime: writeIn(zone, start), endTime: writeIn(zone, end) };
}

/** A time of the service as the clocks of a zone show it. */
export interface LocalTime {
	/** Milliseconds since 1970 UTC, rounded down. */
	ms: number;
	/** With its offset, and as many decimals as were received: `2026-11-28T18:30:00+01:00`. */
	text: string;
}

/**
 * Reads a time of the service once for everything that is shown of it.
 *
 * @param zone IANA name of the zone in which it is shown
 * @param ownZone of a time without an offset, see {@link zoneOf}
 * @returns null for no date; undefined for anything else but a date and time
 */
export function readLocalTime(
	value: unknown,
	zone: string,
	ownZone: string,
): LocalTime | null | undefined {
	const moment = readMoment(value, ownZone);
	if (!moment) return moment;
	const text = writeIn(zone, moment.ms, decimalsOf(moment));
	return { ms: moment.ms, text };
}

/** @returns what {@link readLocalTime} reads, as text; anything else but a date and time unchanged */
export function inZone(value: unknown, zone: string, ownZone: string): unknown {
	const time = readLocalTime(value, zone, ownZone);
	if (time === undefined) return value;
	return time?.text ?? null;
}
