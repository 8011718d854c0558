import { createHash } from 'node:crypto';
import type { LoggedRequest } from '../sandbox/control/requestLog.ts';

/** File in which each test notes what it made the nodes send, one JSON text a line. */
export const WIRE_LOG = 'HOSPITALITY_BOOKING_WIRE_LOG';

/** What n8n's own HTTP client adds to every call, and what differs from one call to the next by nature. */
const NOT_OURS = new Set(['user-agent', 'accept-encoding', 'connection', 'host', 'date', 'traceparent']);

/** A request as the service received it, without what n8n's own HTTP client adds. */
export interface SentRequest {
	method: string;
	path: string;
	query: LoggedRequest['query'];
	headers: Record<string, unknown>;
	body?: unknown;
}

/** What one test made the nodes send. */
export interface Sent {
	test: string;
	sent: SentRequest[];
}

/** The part of a request that this package decides. Ports and tokens, which differ from run to run, have names. */
export function onTheWire({ method, path, query, headers, body }: LoggedRequest): SentRequest {
	const own = Object.entries(headers)
		.filter(([name]) => !NOT_OURS.has(name))
		.map(([name, value]) => [name, steady(name, String(value))])
		.sort(([one = ''], [other = '']) => one.localeCompare(other));
	return { method, path, query, headers: Object.fromEntries(own) as Record<string, unknown>, body };
}

function steady(name: string, value: string): string {
	if (name === 'authorization') return value.replace(/ .*/, ' <token>');
	return value.replace(/127\.0\.0\.1:\d+/g, '<service>');
}

/** A short name of what was sent, the same where it is the same: requests sent in parallel in any order. */
export function fingerprint(sent: SentRequest[]): string {
	const texts = sent.map((request) => JSON.stringify(request)).sort();
	return createHash('sha256').update(texts.join('\n')).digest('hex').slice(0, 16);
}
