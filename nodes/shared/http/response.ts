import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { CallError, type CallFailure } from '../errors/callFailure';
import { type ServiceMessage, looksLikeHtml, readServiceMessage } from '../errors/serviceMessage';
import { isRecord } from '../values/record';
import { abortable } from './abortable';
import { parseStart, readJson } from './readJson';

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

/** One call, and how its response is read. */
export interface Call extends Pick<IHttpRequestOptions, 'timeout' | 'skipSslCertificateValidation'> {
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
	/** Bytes that the body of a success may have; 32 MB unless set. */
	maxBytes?: number;
	/** Data of any kind unless set; `text` is whatever is no web page, where the documents show no body. */
	expects?: 'list' | 'record' | 'text';
}

/** The result of one attempt at a call. */
export type CallOutcome = { kind: 'response'; response: ServiceResponse } | CallFailure;

/** No content: these responses have no body wherever they come from. */
const WITHOUT_BODY = [204, 205];
const MB = 1024 * 1024;
/** n8n's helpers read without end; a service that misbehaves must not take n8n's memory with it. */
const MAX_BYTES = 32 * MB;
/** Most bytes read of a response outside 2xx, which only serves for a message. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** A longer pause is no other. */
const YEAR_MS = 365 * 24 * 60 * 60 * 1000;
/** Node's longest timer. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/**
 * Reads a response to its end, within bounds, and tells what became of the call.
 *
 * @param secrets of the call: no text of a failure shows them
 * @throws an Error with Node's `code` when the connection breaks
 */
export async function readOutcome(
	{ statusCode: status, headers, body: stream }: RawResponse,
	secrets: () => readonly string[],
	{ expects, maxBytes = MAX_BYTES }: Pick<Call, 'expects' | 'maxBytes'>,
): Promise<CallOutcome> {
	if (status < 200 || status >= 300) {
		const bytes = await readBytes(stream, MAX_ERROR_BODY_BYTES);
		const text = decode(bytes.subarray(0, MAX_ERROR_BODY_BYTES), headers['content-type']);
		return refusal(status, headers, readServiceMessage(parseStart(text), secrets()));
	}
	const bytes = await readBytes(stream, maxBytes);
	const unusable = (reason: 'size' | 'format' | 'noData', problem: string): CallFailure => {
		return { kind: 'body', reason, status, problem };
	};
	if (bytes.length > maxBytes) return unusable('size', `is larger than ${maxBytes / MB} MB`);
	const text = decode(bytes, headers['content-type']);
	const read = readJson(text);
	if ('problem' in read) return unusable('format', read.problem);
	const body = read.data === '' || read.data === null ? undefined : read.data;
	const start = text.slice(0, MAX_ERROR_BODY_BYTES);
	const isText = typeof body === 'string';
	const isWebPage = isText && (looksLikeHtml(start) || String(headers['content-type']).includes('html'));
	const mayBeEmpty = expects === 'text' || WITHOUT_BODY.includes(status);
	if (body === undefined ? mayBeEmpty : isExpected(body, expects, isWebPage))
		return { kind: 'response', response: { status, headers, body } };
	if (body === undefined) return unusable('format', 'is empty');
	if (isText && !isWebPage && /^\s*[[{"]/.test(start))
		return unusable('format', 'breaks off or is not valid JSON');
	// What is no page may be a token, or a guest's.
	const said = isText && looksLikeHtml(start) ? readServiceMessage(start, secrets()) : undefined;
	return { ...unusable('noData', 'is something other than data'), said };
}

/** @param said undefined where the body could not be read: it only serves for the message */
export function refusal(status: number, headers: IDataObject, said?: ServiceMessage): CallFailure {
	const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
	return { kind: 'status', status, said, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** Whether a body is what the call expects from a success. */
function isExpected(body: unknown, expects: Call['expects'], isWebPage: boolean): boolean {
	if (expects === 'list') return Array.isArray(body);
	if (expects === 'record') return isRecord(body);
	return typeof body !== 'string' || (expects === 'text' && !isWebPage);
}

/** @returns the list in the body of a success, undefined where there is no body */
export function readList(body: unknown): unknown[] | undefined {
	return Array.isArray(body) ? body : undefined;
}

/**
 * Waits for work no longer than until a deadline. The work itself is not stopped.
 *
 * @param deadline on the clock of `performance.now()`, which nobody sets; undefined: waits as long as it takes
 * @throws CallError with `ETIMEDOUT` when the deadline passes first
 */
export async function byDeadline<T>(work: Promise<T>, deadline: number | undefined): Promise<T> {
	if (deadline === undefined) return await work;
	// Unlike a sleep that is cut short, a signal that is let go of costs next to nothing: this is done for every call.
	const leftMs = Math.max(0, Math.ceil(deadline - performance.now()));
	const overtime = AbortSignal.timeout(Math.min(leftMs, MAX_WAIT_MS));
	return await abortable(work, overtime).catch((reason: unknown) => {
		throw reason === overtime.reason ? new CallError({ kind: 'connection', code: 'ETIMEDOUT' }) : reason;
	});
}

/**
 * @param value a `Retry-After` header: seconds or an HTTP date
 * @returns milliseconds from `now`, 0 for a date that has passed; undefined when absent or neither
 */
export function parseRetryAfter(value: unknown, now: Date): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text) * 1000), YEAR_MS);
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now.getTime()) : undefined;
}

/** Releases a response that nobody reads. */
export function discard({ body }: RawResponse): void {
	if (isStream(body)) body.destroy();
}

type BodyStream = AsyncIterable<Uint8Array> & { destroy(): void };

function isStream(body: unknown): body is BodyStream {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body && 'destroy' in body;
}

/** @returns the body, or a little more than its bound */
async function readBytes(stream: unknown, maxBytes: number): Promise<Buffer> {
	if (!isStream(stream)) return Buffer.alloc(0);
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of stream) {
		chunks.push(chunk);
		size += chunk.length;
		if (size > maxBytes) break;
	}
	return Buffer.concat(chunks);
}

/** Decodes a body by the charset that its content type declares; by UTF-8 where there is none, or none that is known. */
function decode(bytes: Buffer, contentType: unknown): string {
	const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(String(contentType)) ?? [];
	try {
		return new TextDecoder(charset).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}
