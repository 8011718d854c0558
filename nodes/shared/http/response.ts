import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { CallFailure } from '../errors/failure';
import { type ServiceMessage, looksLikeHtml, readServiceMessage } from '../errors/serviceMessage';
import { asText } from '../values/asText';
import { isBlank } from '../values/blank';
import { isRecord } from '../values/record';
import { parseError, readJson } from './readJson';
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

/** What the body of a success has to be. */
interface Expectation {
	/** Bytes that it may have; 32 MB unless set. */
	maxBytes?: number;
	/** Data of any kind unless set; `text` is whatever is no web page, where the documents show no body. */
	expects?: 'list' | 'record' | 'text';
	/**
	 * true: an empty body is fine. false: only the body proves that the change was made. Unset: an empty body is an error.
	 */
	mayBeEmpty?: boolean;
}

/** One call, and how its response is read. */
export interface Call extends Expectation {
	method: IHttpRequestMethods;
	/** Filled and encoded, e.g. `/api/booking/v1/booking/customers`. */
	path: string;
	/** Lists are repeated: `status=1&status=2`. */
	query?: IDataObject;
	headers?: IDataObject;
	/** Sent as JSON, URLSearchParams as a form; `undefined` sends no body, `{}` sends `{}`. */
	body?: unknown;
	skipSslCertificateValidation?: boolean;
	/** Milliseconds that one attempt may take. */
	timeout?: number;
	/** By when the call has to end, retries included, on the clock of `performance.now()`; undefined: no limit. */
	deadline?: number;
	/** Secrets of the body, which no text may show. */
	secrets?: readonly string[];
}

/** The result of one attempt at a call. */
export type CallResult = { kind: 'response'; response: ServiceResponse } | CallFailure;

const MB = 1024 * 1024;
/** n8n's helpers read without end; a service that misbehaves must not take n8n's memory with it. */
const MAX_BYTES = 32 * MB;
/** Most bytes that are read of a response outside 2xx: it only serves for a message, and JSON that is cut says nothing. */
const MAX_ERROR_BODY_BYTES = MB / 4;
const NO_DATA = 'is something other than data';
/** So many characters of a body show of which kind it is. */
const TELLING_CHARACTERS = 64 * 1024;

const UNCONFIRMED = 'is empty: no confirmation came, it may have been made';

/**
 * Reads a response to its end, within bounds, and tells what became of the call.
 *
 * @param secrets of the call: no text of a failure shows them
 * @throws an Error with Node's `code` when the connection breaks
 */
export async function readOutcome(
	response: RawResponse,
	secrets: () => readonly string[],
	expected: Expectation,
): Promise<CallResult> {
	const { statusCode: status, headers } = response;
	if (status < 200 || status >= 300) {
		const error = await readText(response.body, MAX_ERROR_BODY_BYTES);
		const said = readServiceMessage(parseError(error.text), secrets());
		return refusal(status, headers, said);
	}
	const maxBytes = expected.maxBytes ?? MAX_BYTES;
	const { text, isCut } = await readText(response.body, maxBytes);
	if (isCut) return unusable(status, 'size', `is larger than ${maxBytes / MB} MB`);
	const read = readJson(text);
	if ('problem' in read) return unusable(status, 'format', read.problem);
	const { data } = read;
	if (isBlank(data)) {
		if (expected.mayBeEmpty) return success(response, undefined);
		const isOnlyAnswer = expected.mayBeEmpty === false;
		const what = isOnlyAnswer ? UNCONFIRMED : 'is empty';
		return unusable(status, 'format', what);
	}
	if (typeof data !== 'string') {
		if (isExpected(data, expected.expects)) return success(response, data);
		return unusable(status, 'noData', NO_DATA);
	}
	const start = text.slice(0, TELLING_CHARACTERS);
	const isWebPage = isHtml(headers) || looksLikeHtml(start);
	if (isWebPage) return unusable(status, 'noData', NO_DATA);
	if (expected.expects === 'text') return success(response, data);
	const isBroken = /^\s*[[{"]/.test(start);
	if (isBroken) return unusable(status, 'format', 'breaks off or is not valid JSON');
	return unusable(status, 'noData', NO_DATA);
}

function success(response: RawResponse, body: unknown): CallResult {
	const { statusCode: status, headers } = response;
	return { kind: 'response', response: { status, headers, body } };
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

/** Whether data that is no text is what a call expects. */
function isExpected(data: unknown, expects: Expectation['expects']): boolean {
	if (expects === 'list') return Array.isArray(data);
	if (expects === 'record') return isRecord(data);
	return true;
}

function isHtml(headers: IDataObject): boolean {
	return asText(headers['content-type']).includes('html');
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
