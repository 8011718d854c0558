import { DateTime } from 'luxon';

import { InvalidValueError } from './invalidValue';
import { isBlank } from './blank';
import { DAY, HOUR, MINUTE, readMoment, readTimestamp } from './timestamp';
import { instantOf, offsetAt } from './zone';

const HINT =
	'Enter a date and time, e.g. 2026-12-24T18:00 or 2026-12-24T18:00:00+01:00, or use the date picker';
const DAY_HINT = 'Enter a date, e.g. 2026-12-24, or a date and time, e.g. 2026-12-24T18:00:00+01:00';
/** In a time: an offset or the name of a zone. */
const OFFSET = /[a-z+-]/i;
/** A year, month and day (also as week and weekday, or day of the year), optionally with a time. */
const DATE =
	/^(?:[+-]\d{6}|\d{4})(?:-\d{2}-\d{2}|-W\d{2}-\d|-\d{3}|\d{4}|W\d{3}|\d{3})(?<time>[T ]\d{2}.*)?$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

type Precision = 'dateTime' | 'day';

/**
 * Converts a date and time to the form the service takes: ISO 8601 with an offset. A local time that occurs twice is the
 * first of the two; one that daylight saving skips is rejected.
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
	precision: Precision = 'dateTime',
): string {
	if (typeof value === 'string' && isAsSent(value)) return value;
	const time = toDateTime(value, label, zone);
	if (precision === 'dateTime' && time?.isDay)
		throw new InvalidValueError(label, 'is a date without a time', HINT);
	const text = time?.dateTime.toISO({ suppressMilliseconds: true }) ?? null;
	if (text !== null) return text;
	const hint = precision === 'day' ? DAY_HINT : HINT;
	throw new InvalidValueError(label, isBlank(value) ? 'is empty' : 'is not a date and time', hint);
}

/** Whether a text is already an instant to send. Checked without luxon, which takes many times as long. */
function isAsSent(value: string): boolean {
	return INSTANT.test(value) && readTimestamp(value, 'UTC') !== undefined;
}

/** @returns undefined for what is no date, an invalid DateTime for one that does not exist */
function toDateTime(
	value: unknown,
	label: string,
	zone: string,
): { dateTime: DateTime; isDay?: boolean } | undefined {
	if (DateTime.isDateTime(value)) return { dateTime: value };
	if (value instanceof Date) return { dateTime: DateTime.fromJSDate(value, { zone }) };
	const text = typeof value === 'string' ? value.trim() : '';
	const date = DATE.exec(text);
	if (!date) return undefined;
	const clock = date.groups?.time?.slice(1);
	const isDay = clock === undefined;
	const options = { zone: 'utc', setZone: !isDay && OFFSET.test(clock) };
	const iso = DateTime.fromISO(text, options);
	const time = iso.isValid ? iso : DateTime.fromSQL(text, options);
	if (options.setZone || !time.isValid) return { dateTime: time, isDay };
	const { ms, isSkipped } = instantOf(time.toMillis(), zone);
	if (isSkipped && !isDay)
		throw new InvalidValueError(
			label,
			`is a time that the clocks of '${zone}' skip when daylight saving begins`,
			'Enter a time an hour later, or one with an offset',
		);
	return { dateTime: DateTime.fromMillis(ms, { zone }), isDay };
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
	const [startTime, endTime] = [midnight, midnight + DAY].map((day) => {
		const instant = new Date(instantOf(day + endsAt * HOUR, zone).ms);
		return String(inZone(instant.toISOString(), zone, zone));
	});
	return { startTime: startTime ?? '', endTime: endTime ?? '' };
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
	if (!time) return time === null ? null : value;
	const ahead = offsetAt(time.ms, zone);
	const local = new Date(time.ms + ahead).toISOString().slice(0, 19);
	const fraction = /\.\d*[1-9]\d*/.exec(time.text)?.[0] ?? '';
	const [hours, minutes] = [Math.abs(ahead) / HOUR, (Math.abs(ahead) / MINUTE) % 60].map((part) =>
		String(Math.trunc(part)).padStart(2, '0'),
	);
	return `${local}${fraction}${ahead < 0 ? '-' : '+'}${hours}:${minutes}`;
}
