import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { CallError, type CallFailure } from '../errors/failure';
import { type ServiceMessage, looksLikeHtml, readServiceMessage } from '../errors/serviceMessage';
import { isRecord } from '../values/record';
import { abortable } from './deadline';
import { parseStart, readJson } from './readJson';

/** What n8n's helpers return when asked for the full response as a stream. */
export interface RawResponse {
	statusCode: number;
	headers: IDataObject;
	body: AsyncIterable<Uint8Array> & { destroy(): void };
}

/** A response that has been read to its end. */
export interface ServiceResponse {
	status: number;
	headers: IDataObject;
	/** Parsed JSON, a text, or undefined for an empty body. */
	body: unknown;
}

/** One call, and how its response is read. */
export interface Call extends Pick<
	IHttpRequestOptions,
	'timeout' | 'skipSslCertificateValidation'
> {
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
export type CallResult = { kind: 'response'; response: ServiceResponse } | CallFailure;

const MB = 1024 * 1024;
/** n8n's helpers read without end; a service that misbehaves must not take n8n's memory with it. */
const MAX_BYTES = 32 * MB;
/** Most bytes read of a response outside 2xx, which only serves for a message. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

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
): Promise<CallResult> {
	if (status < 200 || status >= 300) {
		const { text } = await readText(stream, MAX_ERROR_BODY_BYTES);
		return refusal(status, headers, readServiceMessage(parseStart(text), secrets()));
	}
	const { text, isCut } = await readText(stream, maxBytes);
	const unusable = (reason: 'size' | 'format' | 'noData', problem: string): CallFailure => {
		return { kind: 'body', reason, status, problem };
	};
	if (isCut) return unusable('size', `is larger than ${maxBytes / MB} MB`);
	const read = readJson(text);
	if ('problem' in read) return unusable('format', read.problem);
	const body = read.data === '' || read.data === null ? undefined : read.data;
	const start = text.slice(0, MAX_ERROR_BODY_BYTES);
	const isText = typeof body === 'string';
	const isWebPage =
		isText && (looksLikeHtml(start) || String(headers['content-type']).includes('html'));
	const mayBeEmpty = expects === 'text' || status === 204 || status === 205;
	if (body === undefined ? mayBeEmpty : isExpected(body, expects, isWebPage))
		return { kind: 'response', response: { status, headers, body } };
	if (body === undefined) return unusable('format', 'is empty');
	if (isText && !isWebPage && /^\s*[[{"]/.test(start))
		return unusable('format', 'breaks off or is not valid JSON');
	return unusable('noData', 'is something other than data');
}

/** @param said undefined where the body could not be read: it only serves for the message */
export function refusal(status: number, headers: IDataObject, said?: ServiceMessage): CallFailure {
	return {
		kind: 'status',
		status,
		said,
		retryAfterMs: parseRetryAfter(headers['retry-after'], new Date()),
	};
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
	const overtime = AbortSignal.timeout(leftMs);
	return await abortable(work, overtime).catch((reason: unknown) => {
		throw reason === overtime.reason
			? new CallError({ kind: 'connection', code: 'ETIMEDOUT' })
			: reason;
	});
}

/**
 * @param value a `Retry-After` header: seconds or an HTTP date
 * @returns milliseconds from `now`, 0 for a date that has passed; undefined when absent or neither
 */
export function parseRetryAfter(value: unknown, now: Date): number | undefined {
	const text = typeof value === 'string' ? value.trim() : '';
	if (/^\d{1,9}(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	const date = DateTime.fromHTTP(text);
	return date.isValid ? Math.max(0, date.toMillis() - now.getTime()) : undefined;
}

/** @returns the text of a body up to its bound, decoded as it comes: JSON has no other charset than UTF-8 */
async function readText(
	stream: RawResponse['body'],
	maxBytes: number,
): Promise<{ text: string; isCut: boolean }> {
	const decoder = new TextDecoder();
	let [text, left] = ['', maxBytes];
	for await (const chunk of stream) {
		text += decoder.decode(chunk.subarray(0, left), { stream: true });
		left -= chunk.length;
		if (left < 0) break;
	}
	return { text: text + decoder.decode(), isCut: left < 0 };
}
