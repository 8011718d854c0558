import { DateTime, IANAZone } from 'luxon';

import { InvalidValueError } from './invalidValue';

const HINT =
	'Enter a date and time, e.g. 2026-12-24T18:00 or 2026-12-24T18:00:00+01:00, or use the date picker';
const HAS_OFFSET = /T.*(Z|[+-]\d{2}(:?\d{2})?)$/i;

/**
 * Brings a date and time into the form the service takes: ISO 8601 with an offset (first document, general convention 4).
 *
 * @param value an ISO string, a plain date, a luxon DateTime (from an expression) or a Date
 * @param label the parameter's name as displayed
 * @param zone the credential's Time Zone, for values without an offset
 * @throws InvalidValueError that names the parameter
 */
export function toServiceDateTime(value: unknown, label: string, zone: string): string {
	const moment = read(value, zone);
	const text = moment?.isValid ? moment.toISO({ suppressMilliseconds: true }) : null;
	if (text === null) {
		const what =
			value === undefined || value === null || value === '' ? 'is empty' : 'is not a date and time';
		throw new InvalidValueError(label, what, HINT);
	}
	return text;
}

/** @returns whether a value leaves the time zone open, so that the credential's is needed. */
export function needsTimeZone(value: unknown): boolean {
	return typeof value === 'string' && !HAS_OFFSET.test(value.trim());
}

/** @throws InvalidValueError when the name is not a time zone of the IANA list. */
export function checkTimeZone(zone: unknown): string {
	const name = typeof zone === 'string' && zone.trim() !== '' ? zone.trim() : 'UTC';
	if (!IANAZone.isValidZone(name)) {
		throw new InvalidValueError(
			'Time Zone',
			`is '${name}', which is not a known time zone`,
			'Enter an IANA name in the credential, e.g. Europe/Stockholm or UTC',
		);
	}
	return name;
}

function read(value: unknown, zone: string): DateTime | undefined {
	if (DateTime.isDateTime(value)) return value;
	if (value instanceof Date) return DateTime.fromJSDate(value, { zone });
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const text = value.trim();
	const iso = DateTime.fromISO(text, { zone, setZone: HAS_OFFSET.test(text) });
	return iso.isValid ? iso : DateTime.fromSQL(text, { zone });
}
