import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './faults.ts';

/**
 * Applies a fault to a response that has not begun. Returns true if that has sent or cut the response, false if the
 * operation may still respond (after a delay).
 */
export async function happen(fault: Fault, response: ServerResponse): Promise<boolean> {
	if (fault.kind === 'delay') {
		await sleep(fault.ms);
		return false;
	}
	if (fault.kind === 'cut') {
		response.socket?.destroy();
		return true;
	}
	const { status, headers, text } = faultAnswer(fault);
	if (fault.kind === 'cutMidBody') {
		response.writeHead(status, { ...headers, 'content-length': String(text.length + 1000) });
		response.write(text, () => response.socket?.destroy());
		return true;
	}
	response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(text)) });
	response.end(text);
	return true;
}

interface FaultAnswer {
	status: number;
	headers: Record<string, string>;
	text: string;
}

const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const BAD_GATEWAY =
	'<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>';

function faultAnswer(fault: Exclude<Fault, { kind: 'delay' } | { kind: 'cut' }>): FaultAnswer {
	switch (fault.kind) {
		case 'status': {
			const { status, body, contentType, headers } = fault;
			if (body === undefined) return { status, headers: { ...headers }, text: '' };
			const isText = typeof body === 'string';
			const type =
				contentType ?? (isText ? 'text/plain; charset=utf-8' : JSON_TYPE['content-type']);
			return {
				status,
				headers: { 'content-type': type, ...headers },
				text: isText ? body : JSON.stringify(body),
			};
		}
		case 'cutMidBody':
			return { status: 200, headers: JSON_TYPE, text: '[{"guid":"5f0c' };
		case 'malformed':
			return { status: 200, headers: JSON_TYPE, text: '[{"guid":"5f0c", "status": ' };
		case 'html':
			return { status: fault.status ?? 502, headers: HTML_TYPE, text: BAD_GATEWAY };
		case 'empty':
			return { status: fault.status ?? 200, headers: {}, text: '' };
		case 'rateLimit': {
			const headers = {
				...JSON_TYPE,
				...retryAfter(fault.retryAfter ?? 'seconds', fault.seconds ?? 1),
			};
			return { status: fault.status ?? 429, headers, text: '{"title":"Too many requests"}' };
		}
	}
}

function retryAfter(form: 'seconds' | 'date' | 'none', seconds: number): Record<string, string> {
	if (form === 'none') return {};
	if (form === 'seconds') return { 'retry-after': String(seconds) };
	return {
		'retry-after': new Date(Math.ceil((Date.now() + seconds * 1000) / 1000) * 1000).toUTCString(),
	};
}

/** Lets the operation act, and replaces its response with the fault. */
export function happenInstead(fault: Fault, response: ServerResponse): void {
	const original = { writeHead: response.writeHead, write: response.write, end: response.end };
	if (fault.kind === 'delay') {
		response.end = function (this: ServerResponse, ...args: unknown[]) {
			setTimeout(() => Reflect.apply(original.end, response, args), fault.ms);
			return this;
		} as ServerResponse['end'];
		return;
	}
	response.writeHead = function (this: ServerResponse) {
		return this;
	} as ServerResponse['writeHead'];
	response.write = (() => true) as ServerResponse['write'];
	response.end = function (this: ServerResponse) {
		Object.assign(response, original);
		for (const name of response.getHeaderNames()) response.removeHeader(name);
		void happen(fault, response);
		return this;
	} as ServerResponse['end'];
}
