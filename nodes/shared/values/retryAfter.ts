import { DateTime } from 'luxon';

/**
 * @param value a `Retry-After` header: seconds or an HTTP date
 * @returns milliseconds from `now`, 0 for a date that has passed; undefined when absent or neither
 */
export function parseRetryAfter(value: unknown, now: Date): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now.getTime()) : undefined;
}
