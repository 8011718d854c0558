import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { DateTime } from 'luxon';

import {
	type BodyFault,
	CallError,
	type CallFault,
	type ProxySetting,
	noDataFault,
} from '../errors/callFault';
import type { ResponseRedaction } from '../errors/secrets';
import { looksLikeHtml } from '../errors/serviceMessage';

/** What n8n's helpers return when asked for the full response as a stream. */
export interface RawResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
}

/** A response that has been read to its end. */
export interface ServiceResponse {
	status: number;
	headers: IDataObject;
	/** Parsed JSON, a text, or undefined for an empty body. */
	body: unknown;
}

/** n8n's own request options: time-out in milliseconds, proxy, certificates. */
export type Network = Pick<IHttpRequestOptions, 'timeout' | 'proxy' | 'skipSslCertificateValidation'>;

/** One call, and how its response is read. */
export interface Call {
	method: IHttpRequestMethods;
	/** Filled and encoded, e.g. `/api/booking/v1/booking/customers`. */
	path: string;
	/** Lists are repeated: `status=1&status=2`. */
	query?: IDataObject;
	headers?: IDataObject;
	/** Sent as JSON, URLSearchParams as a form; `undefined` sends no body, `{}` sends `{}`. */
	body?: unknown;
	/** By when the call has to end, repeats included, on the clock of `performance.now()`; undefined: no limit. */
	deadline?: number;
	/** Secrets of the body, which no text may show. */
	secrets?: readonly string[];
	/** Names of the response's documented fields: what stands in them comes out as it is, though it may equal a secret. */
	documented?: readonly string[];
	network?: Network;
	/** Megabytes that the body of a success may have; unless set {@link DEFAULT_LARGEST_MB}. */
	largestMb?: number;
	/** As many records of a list are enough where the whole is too large. */
	records?: number;
	/** A success besides data: a text but no web page, where the documents show no body; or whatever comes. */
	accepts?: 'text' | 'anything';
}

/** How one attempt at a call ended. */
export type Outcome = { kind: 'response'; response: ServiceResponse } | CallFault;

/** No content: these responses have no body wherever they come from. */
const WITHOUT_BODY = [204, 205];
/** n8n's helpers read without end; a service that misbehaves must not take n8n's memory with it. */
export const DEFAULT_LARGEST_MB = 32;
/** What all responses that are being read may hold together: calls go out in parallel. */
export const MOST_MB = 256;
const MB = 1024 * 1024;
/** Of a response outside 2xx no more than this is read: it only serves for a message. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** n8n and its editor walk through data level by level. */
const MAX_DEPTH = 100;
const MAX_FIELDS = 10_000;
/** A timer of Node takes no more. */
const MAX_WAIT_MS = 2 ** 31 - 1;
/** Small values take many times more memory than text, and long to parse: real records hold more than 16 bytes a value. */
const MAX_VALUES_PER_MB = 62_500;

/** @returns where the proxy is set that a call goes through, if it goes through one */
export function proxySetting(network?: Network): ProxySetting {
	return network?.proxy ? 'node' : 'n8n';
}

/** @returns what keeps a success from being one; undefined where it has the data that it should */
function missingData(
	{ accepts, method }: Partial<Call>,
	{ status, headers, body }: ServiceResponse,
	redaction: ResponseRedaction,
): CallFault | undefined {
	if (accepts === 'anything') return undefined;
	if (body === undefined) {
		const needsBody = method !== 'GET' && accepts !== 'text' && !WITHOUT_BODY.includes(status);
		return needsBody ? noDataFault(status, body) : undefined;
	}
	if (typeof body !== 'string') return undefined;
	const isWebPage = looksLikeHtml(body) || String(headers['content-type']).includes('html');
	return accepts === 'text' && !isWebPage ? undefined : noDataFault(status, redaction.text(body));
}

/**
 * Reads a response to its end, within bounds, redacts the secrets in it, and tells what became of the call.
 *
 * @param url the address that was called
 * @param endsAt when the last byte has to be here, on the clock of `performance.now()`
 * @throws CallError when the time is over; an Error with Node's `code` when the connection breaks
 */
export async function readOutcome(
	{ statusCode: status, headers, body: received }: RawResponse,
	url: string,
	endsAt: number,
	redaction: ResponseRedaction,
	call: Partial<Call>,
): Promise<Outcome> {
	const { network, largestMb = DEFAULT_LARGEST_MB, records = Infinity } = call;
	const succeeded = status >= 200 && status < 300;
	const unusable = (reason: BodyFault, problem: string): CallFault => ({
		kind: 'body',
		reason,
		status,
		problem,
	});
	let data = received;
	if (isStream(received)) {
		if (!succeeded && isOfProxy(status, headers, url, network)) {
			received.destroy();
			return { kind: 'status', status, proxy: proxySetting(network) };
		}
		const maxBytes = succeeded ? largestMb * MB : MAX_ERROR_BODY_BYTES;
		const read = await byDeadline(readBytes(received, maxBytes), endsAt).catch(async (reason: Error) => {
			received.destroy();
			return await Promise.reject(reason);
		});
		if (!read) return unusable('size', `exceeds ${MOST_MB} MB across concurrent responses`);
		const isCut = succeeded && read.length > maxBytes;
		const whole = decode(read, headers['content-type']);
		const text = isCut ? firstRecords(whole, records) : whole;
		if (text === undefined) return unusable('size', `is larger than ${largestMb} MB`);
		const maxValues = MAX_VALUES_PER_MB * largestMb;
		if (text.length > maxValues && hasMoreValues(text, maxValues))
			return unusable('size', `has more than ${maxValues} values`);
		data = succeeded ? redaction.data(text, parseText) : parseText(redaction.text(text));
		const problem = succeeded ? findProblem(data) : undefined;
		if (problem) return unusable('format', problem);
	}
	const response = { status, headers, body: data === '' || data === null ? undefined : data };
	if (succeeded) return missingData(call, response, redaction) ?? { kind: 'response', response };
	const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
	return {
		kind: 'status',
		status,
		body: response.body,
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
	};
}

/**
 * @param body of a success
 * @returns the list in it, undefined where there is no body
 * @throws CallError for what is no list
 */
export function readList(body: unknown): unknown[] | undefined {
	if (body === undefined || Array.isArray(body)) return body;
	throw new CallError(noDataFault(200, 'something that is not a list'));
}

/**
 * Waits for work no longer than until a deadline. The work itself is not stopped.
 *
 * @param deadline on the clock of `performance.now()`, which nobody sets; undefined: waits as long as it takes
 * @throws CallError with `ETIMEDOUT` when the deadline passes first
 */
export async function byDeadline<T>(work: Promise<T>, deadline: number | undefined): Promise<T> {
	if (deadline === undefined) return await work;
	// Unlike a sleep that is cut short, a signal that is let go of costs next to nothing: this is done for every response.
	const overtime = AbortSignal.timeout(
		Math.min(Math.max(0, Math.ceil(deadline - performance.now())), MAX_WAIT_MS),
	);
	let end = () => {};
	const tooLate = new Promise<never>((_, reject) => {
		end = () => reject(new CallError({ kind: 'connection', code: 'ETIMEDOUT' }));
		overtime.addEventListener('abort', end);
	});
	try {
		return await Promise.race([work, tooLate]);
	} finally {
		overtime.removeEventListener('abort', end);
	}
}

/**
 * Whether a proxy refused to connect to an https address. n8n's helpers do not tell; but a service dates its responses, and
 * only proxies have headers of their own.
 */
function isOfProxy(status: number, headers: IDataObject, url: string, network?: Network): boolean {
	if (!url.startsWith('https:')) return status === 407;
	if (Object.keys(headers).some((name) => /^(proxy-|x-squid-)/i.test(name))) return true;
	return status === 407 || (headers.date === undefined && (network?.proxy !== undefined || status < 500));
}

/**
 * @param value a `Retry-After` header: seconds or an HTTP date
 * @returns milliseconds from `now`, 0 for a date that has passed; undefined when absent or neither
 */
export function parseRetryAfter(value: unknown, now: Date): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now.getTime()) : undefined;
}

/** Lets go of a response that nobody reads. */
export function discard({ body }: RawResponse): void {
	if (isStream(body)) body.destroy();
}

type BodyStream = AsyncIterable<Uint8Array> & { destroy(): void };

function isStream(body: unknown): body is BodyStream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;
}

/** Bytes of the responses that are being read. */
let heldBytes = 0;

/** @returns the body, or a little more than its bound; undefined where the responses together hold too much */
async function readBytes(stream: BodyStream, maxBytes: number): Promise<Buffer | undefined> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			chunks.push(chunk);
			size += chunk.length;
			heldBytes += chunk.length;
			if (size > maxBytes) break;
			if (heldBytes > MOST_MB * MB) return undefined;
		}
		return Buffer.concat(chunks);
	} finally {
		heldBytes -= size;
	}
}

/** Decodes a body by the charset that its content type declares; by UTF-8 where there is none, or none that is known. */
function decode(bytes: Buffer, contentType: unknown): string {
	const [, charset = ''] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(String(contentType)) ?? [];
	if (charset === '' || /^utf-?8$/i.test(charset)) return bytes.toString('utf8');
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return bytes.toString('utf8');
	}
}

/** @returns the JSON of the first records of a list that breaks off; undefined where they are not all there */
function firstRecords(text: string, count: number): string | undefined {
	if (!Number.isFinite(count) || !/^\s*\[/.test(text)) return undefined;
	let depth = 0;
	let found = 0;
	for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},]/g)) {
		if (token === '[' || token === '{') depth += 1;
		else if (token === ']' || token === '}') depth -= 1;
		else if (token === ',' && depth === 1 && ++found === count) return `${text.slice(0, index)}]`;
	}
	return undefined;
}

/** @returns a text as the JSON it holds, where it holds any */
function parseText(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\uFEFF/, ''));
	} catch {
		return text;
	}
}

/** Told by the commas, before anything is made of the text. */
function hasMoreValues(text: string, most: number): boolean {
	let commas = 0;
	for (let at = text.indexOf(','); at !== -1 && commas <= most; at = text.indexOf(',', at + 1)) commas += 1;
	return commas > most;
}

/** @returns what is wrong with data that n8n or this package could not take; undefined for nothing */
function findProblem(data: unknown, depth = 0): string | undefined {
	if (typeof data !== 'object' || data === null) return undefined;
	if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
	const isList = Array.isArray(data);
	const names = isList ? [] : Object.keys(data);
	if (names.length > MAX_FIELDS) return `has a record with more than ${MAX_FIELDS} fields`;
	if (names.includes('__proto__')) return "has a field named '__proto__'";
	for (const value of isList ? data : Object.values(data)) {
		const problem = findProblem(value, depth + 1);
		if (problem) return problem;
	}
	return undefined;
}
