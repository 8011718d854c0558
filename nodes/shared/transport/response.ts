import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import type { Mask } from '../errors/secrets';
import { DeadlineError, byDeadline } from './deadline';

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

/** A body that is not read further, e.g. `is larger than 32 MB`. */
export class UnusableBodyError extends Error {
	override name = 'UnusableBodyError';
}

/** n8n's helpers read without end; a service that goes wrong must not take n8n's memory with it. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** What the responses under way may hold together: calls go out in parallel. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
/** Of a response outside 2xx no more than this is read: it only serves for a message. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** n8n and its editor walk through data level by level. */
const MAX_DEPTH = 100;
const MAX_FIELDS = 10_000;
/** Small values take many times more memory than text, and long to parse: real records hold more than 16 bytes a value. */
const MAX_VALUES = 2_000_000;

const TOO_MUCH_TOGETHER = `came while others were under way, more than ${MAX_HELD_BYTES / 1024 / 1024} MB together`;

export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/**
 * Reads a response to its end, within bounds, and takes the secrets out of it.
 *
 * @param endsAt when the last byte has to be here, in milliseconds since 1970
 * @param maskFor chooses the mask by whether the response is a success
 * @throws UnusableBodyError for a success that is too large or not data; an Error with Node's `code` when the connection
 * breaks (`ECONNRESET`) or the time is over (`ECONNABORTED`)
 */
export async function readResponse(
	{ statusCode: status, headers, body }: RawResponse,
	endsAt: number,
	maskFor: (isSuccess: boolean) => Mask,
): Promise<ServiceResponse> {
	if (!isStream(body)) return { status, headers, body: emptyToUndefined(body) };
	const succeeded = isSuccess(status);
	const maxBytes = succeeded ? MAX_BODY_BYTES : MAX_ERROR_BODY_BYTES;
	const { text, isWhole } = await byDeadline(readText(body, maxBytes), endsAt).catch(
		async (reason: Error) => {
			body.destroy();
			return await Promise.reject(reason instanceof DeadlineError ? tooLate() : reason);
		},
	);
	if (succeeded && !isWhole) {
		throw new UnusableBodyError(`is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB`);
	}
	if (text.length > MAX_VALUES && hasTooManyValues(text))
		throw new UnusableBodyError(`has more than ${MAX_VALUES} values`);
	const data = parseText(maskFor(succeeded)(text));
	const complaint = succeeded ? complaintAbout(data) : undefined;
	if (complaint) throw new UnusableBodyError(complaint);
	return { status, headers, body: emptyToUndefined(data) };
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

async function readText(stream: BodyStream, maxBytes: number): Promise<{ text: string; isWhole: boolean }> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	try {
		for await (const chunk of stream) {
			chunks.push(chunk);
			size += chunk.length;
			heldBytes += chunk.length;
			if (size > maxBytes) break;
			if (heldBytes > MAX_HELD_BYTES) throw new UnusableBodyError(TOO_MUCH_TOGETHER);
		}
		return { text: Buffer.concat(chunks).toString('utf8'), isWhole: size <= maxBytes };
	} finally {
		heldBytes -= size;
	}
}

/** As Node says that a response did not come in time. */
function tooLate(): Error {
	return Object.assign(new Error('The response took too long'), { code: 'ECONNABORTED' });
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
function hasTooManyValues(text: string): boolean {
	let commas = 0;
	for (let at = text.indexOf(','); at !== -1 && commas <= MAX_VALUES; at = text.indexOf(',', at + 1))
		commas += 1;
	return commas > MAX_VALUES;
}

/** @returns what is wrong with data that n8n or this package could not take; undefined for nothing */
function complaintAbout(data: unknown, depth = 0): string | undefined {
	if (typeof data !== 'object' || data === null) return undefined;
	if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
	const isList = Array.isArray(data);
	const names = isList ? [] : Object.keys(data);
	if (names.length > MAX_FIELDS) return `has a record with more than ${MAX_FIELDS} fields`;
	if (names.includes('__proto__')) return "has a field named '__proto__'";
	for (const value of isList ? data : Object.values(data)) {
		const complaint = complaintAbout(value, depth + 1);
		if (complaint) return complaint;
	}
	return undefined;
}

function emptyToUndefined(body: unknown): unknown {
	return body === '' || body === null ? undefined : body;
}
