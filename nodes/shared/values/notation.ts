import { HOUR, MINUTE, writeLike } from './timestamp';
import { offsetAt } from './zone';

/**
 * The notation of times that are sent: a query is written like the field that it is compared with, as last received; before anything was
 * received, and everywhere else, in the credential's zone with its offset, with milliseconds where there are any (fields whose name says
 * UTC: in UTC; JSON: as entered).
 *
 * @param zone of the field, see `zoneOf`
 * @param received a time of the field as the service has written it
 */
export function writeTime(ms: number, zone: string, received?: string): string {
	if (received !== undefined) return writeLike(received, ms, zone);
	const milliseconds = ms % 1000 === 0 ? '' : new Date(ms).toISOString().slice(19, 23);
	return writeIn(zone, ms, milliseconds).replace(/\+00:00$/, 'Z');
}

/** Writes an instant with the offset of a zone at that time, and with the decimals of the text that was received, if any. */
export function writeIn(zone: string, ms: number, received = ''): string {
	const ahead = offsetAt(ms, zone);
	const local = new Date(ms + ahead).toISOString().slice(0, 19);
	const decimals = /\.\d*[1-9]\d*/.exec(received)?.[0] ?? '';
	return local + decimals + offsetText(ahead);
}

function offsetText(ahead: number): string {
	const sign = ahead < 0 ? '-' : '+';
	const hours = Math.trunc(Math.abs(ahead) / HOUR);
	const minutes = Math.trunc(Math.abs(ahead) / MINUTE) % 60;
	return `${sign}${twoDigits(hours)}:${twoDigits(minutes)}`;
}

function twoDigits(number: number): string {
	return String(number).padStart(2, '0');
}
