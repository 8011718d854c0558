import { DateTime } from 'luxon';

import { InvalidValueError } from './invalidValue';
import { notA } from './plainText';
import { DAY, HOUR, MINUTE, type Timestamp, readMoment, readTimestamp } from './timestamp';
import { instantOf, offsetAt } from './zone';

const HINT =
	'Enter a date and time, e.g. 2026-12-24T18:00 or 2026-12-24T18:00:00+01:00, or use the date picker';
const DAY_HINT =
	'Enter a date, e.g. 2026-12-24, or a date and time, e.g. 2026-12-24T18:00:00+01:00';
const DATE = /^\d{4}-\d\d-\d\d$/;
/** As the service takes it. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Converts a date and time to the form the service takes: ISO 8601 with an offset. A local time that occurs twice is the
 * first of the two; one that daylight saving skips is read as if the clock had not changed.
 *
 * @param value an ISO string, a luxon DateTime (from an expression) or a Date
 * @param label the parameter's name as displayed
 * @param zone for values without an offset, see {@link zoneOf}
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
	const time = readTimestamp(isDay ? `${text}T00:00` : text, zone);
	const hint = precision === 'day' ? DAY_HINT : HINT;
	if (!time) throw new InvalidValueError(label, notA('a date and time', value), hint);
	if (isDay && precision !== 'day')
		throw new InvalidValueError(label, 'is a date without a time', hint);
	return INSTANT.test(text) ? text : writeIn(zone, time).replace(/\+00:00$/, 'Z');
}

function textOf(value: unknown): string {
	if (DateTime.isDateTime(value)) return value.toISO({ suppressMilliseconds: true }) ?? '';
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return typeof value === 'string' ? value.trim() : '';
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
	const midnight = Math.floor((ms + offsetAt(ms, zone) + shift) / DAY) * DAY;
	const boundAt = (day: number) => writeIn(zone, { ms: instantOf(day + endsAt * HOUR, zone) });
	return { startTime: boundAt(midnight), endTime: boundAt(midnight + DAY) };
}

/**
 * Writes a time of the service with the offset of a zone at that time.
 *
 * @param zone IANA name
 * @param ownZone of a time without an offset
 * @returns null for no date; anything else but a date and time unchanged
 */
export function inZone(value: unknown, zone: string, ownZone: string): unknown {
	const time = readMoment(value, ownZone);
	if (time === undefined) return value;
	return time && writeIn(zone, time);
}

/** With as many decimals as a time was received with. */
function writeIn(
	zone: string,
	{ ms, text = '' }: Pick<Timestamp, 'ms'> & Partial<Timestamp>,
): string {
	const ahead = offsetAt(ms, zone);
	const local = new Date(ms + ahead).toISOString().slice(0, 19);
	const fraction = /\.\d*[1-9]\d*/.exec(text)?.[0] ?? '';
	const [hours, minutes] = [Math.abs(ahead) / HOUR, (Math.abs(ahead) / MINUTE) % 60].map((part) =>
		String(Math.trunc(part)).padStart(2, '0'),
	);
	return `${local}${fraction}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`;
}
