import type { IDataObject, IHttpRequestMethods, IHttpRequestOptions } from 'n8n-workflow';

import type { CallFailure } from '../errors/failure';
import { type ServiceMessage, looksLikeHtml, readServiceMessage } from '../errors/serviceMessage';
import { isRecord } from '../values/record';
import { parseStart, readJson } from './readJson';
import { readRetryAfter } from './retryAfter';

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
	/** By when the call has to end, retries included, on the clock of `performance.now()`; undefined: no limit. */
	deadline?: number;
	/** Secrets of the body, which no text may show. */
	secrets?: readonly string[];
	/** Bytes that the body of a success may have; 32 MB unless set. */
	maxBytes?: number;
	/** Data of any kind unless set; `text` is whatever is no web page, where the documents show no body. */
	expects?: 'list' | 'record' | 'text';
	/** Whether a success may have no body: true for a change, false for one whose result only its body tells. Not unless set. */
	mayBeEmpty?: boolean;
}

/** The result of one attempt at a call. */
export type CallResult = { kind: 'response'; response: ServiceResponse } | CallFailure;

const MB = 1024 * 1024;
/** n8n's helpers read without end; a service that misbehaves must not take n8n's memory with it. */
const MAX_BYTES = 32 * MB;
/** Most bytes that are read of a response outside 2xx: it only serves for a message. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/**
 * Reads a response to its end, within bounds, and tells what became of the call.
 *
 * @param secrets of the call: no text of a failure shows them
 * @throws an Error with Node's `code` when the connection breaks
 */
export async function readOutcome(
	response: RawResponse,
	secrets: () => readonly string[],
	{ expects, mayBeEmpty, maxBytes = MAX_BYTES }: Pick<Call, 'expects' | 'mayBeEmpty' | 'maxBytes'>,
): Promise<CallResult> {
	const { statusCode: status, headers } = response;
	if (status < 200 || status >= 300) {
		const { text } = await readText(response.body, MAX_ERROR_BODY_BYTES);
		return refusal(status, headers, readServiceMessage(parseStart(text), secrets()));
	}
	const { text, isCut } = await readText(response.body, maxBytes);
	if (isCut) return unusable(status, 'size', `is larger than ${maxBytes / MB} MB`);
	const read = readJson(text);
	if ('problem' in read) return unusable(status, 'format', read.problem);
	const success = (body: unknown): CallResult => {
		return { kind: 'response', response: { status, headers, body } };
	};
	if (read.data === '' || read.data === null) {
		if (mayBeEmpty) return success(undefined);
		const isOnlyAnswer = mayBeEmpty === false;
		return unusable(status, 'format', isOnlyAnswer ? 'is empty: no confirmation came' : 'is empty');
	}
	const start = text.slice(0, MAX_ERROR_BODY_BYTES);
	const isText = typeof read.data === 'string';
	const isWebPage =
		isText && (looksLikeHtml(start) || String(headers['content-type']).includes('html'));
	if (isExpected(read.data, expects, isWebPage)) return success(read.data);
	if (isText && !isWebPage && /^\s*[[{"]/.test(start)) {
		return unusable(status, 'format', 'breaks off or is not valid JSON');
	}
	return unusable(status, 'noData', 'is something other than data');
}

/** @param said undefined where the body could not be read: it only serves for the message */
export function refusal(status: number, headers: IDataObject, said?: ServiceMessage): CallFailure {
	return { kind: 'status', status, said, retryAfterMs: readRetryAfter(headers) };
}

/** @param problem completes "the response …" */
function unusable(
	status: number,
	reason: 'size' | 'format' | 'noData',
	problem: string,
): CallFailure {
	return { kind: 'body', reason, status, problem };
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

/** @returns the text of a body up to its bound, decoded as it comes: JSON has no other charset than UTF-8 */
async function readText(
	stream: RawResponse['body'],
	maxBytes: number,
): Promise<{ text: string; isCut: boolean }> {
	const decoder = new TextDecoder();
	let text = '';
	let left = maxBytes;
	for await (const chunk of stream) {
		text += decoder.decode(chunk.subarray(0, left), { stream: true });
		left -= chunk.length;
		if (left < 0) break;
	}
	return { text: text + decoder.decode(), isCut: left < 0 };
}
