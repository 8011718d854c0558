import type { IDataObject } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { asText } from '../values/asText';

/**
 * Reads `Retry-After`: seconds, or an HTTP date. A date counts from the response's own `Date`, as the service's clock may
 * differ from n8n's; only without one it counts from now.
 *
 * @returns milliseconds to wait, 0 for a date that has passed; undefined when there is no header, or an unreadable one
 */
export function readRetryAfter(headers: IDataObject): number | undefined {
	const text = asText(headers['retry-after'] ?? '').trim();
	const isSeconds = /^\d{1,9}(?:\.\d+)?$/.test(text);
	if (isSeconds) return Math.ceil(Number(text) * 1000);
	const until = httpDateMs(text);
	if (until === undefined) return undefined;
	const sentAt = httpDateMs(asText(headers.date ?? ''));
	const now = sentAt ?? Date.now();
	return Math.max(0, until - now);
}

function httpDateMs(text: string): number | undefined {
	const date = DateTime.fromHTTP(text);
	if (!date.isValid) return undefined;
	return date.toMillis();
}
