import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faker } from '@faker-js/faker';
import { createFaker } from '../seed/random.ts';

/** What goes wrong. */
export type Fault =
	| {
			kind: 'status';
			status: number;
			headers?: Record<string, string>;
			/** Text is sent as it is, everything else as JSON. */
			body?: unknown;
			contentType?: string;
	  }
	| { kind: 'delay'; ms: number }
	| { kind: 'cut' }
	| { kind: 'cutMidBody' }
	| { kind: 'malformed' }
	| { kind: 'html'; status?: number }
	| { kind: 'empty'; status?: number }
	| { kind: 'rateLimit'; status?: 429 | 503; retryAfter?: 'seconds' | 'date' | 'none'; seconds?: number };

/** Which requests a fault meets, how often, and when. */
export interface FaultRule {
	method?: string;
	/** Part of the address, or `/a regular expression/`. */
	path?: string;
	/** 0 to 1, default 1. */
	probability?: number;
	/** How many requests it meets; default all. */
	times?: number;
	/** The operation acts first, then its answer is lost. */
	after?: boolean;
	fault: Fault;
}

interface ActiveRule extends FaultRule {
	id: string;
	matches: (address: string) => boolean;
	left: number;
}

function matcher(path: string | undefined): (address: string) => boolean {
	if (path === undefined) return () => true;
	const expression = /^\/(.+)\/$/.exec(path)?.[1];
	if (expression === undefined) return (address) => address.includes(path);
	const pattern = new RegExp(expression);
	return (address) => pattern.test(address);
}

/** The faults set by the control interface. */
export class Faults {
	private rules: ActiveRule[] = [];
	private count = 0;
	private readonly faker: Faker;

	constructor(seed: number) {
		this.faker = createFaker(seed);
	}

	/** Adds a rule and returns its id. Throws a SyntaxError for a regular expression that is none. */
	add(rule: FaultRule): string {
		const id = String(++this.count);
		this.rules.push({ ...rule, id, matches: matcher(rule.path), left: rule.times ?? Infinity });
		return id;
	}

	/** Removes a rule. Returns whether there was one. */
	remove(id: string): boolean {
		const before = this.rules.length;
		this.rules = this.rules.filter((rule) => rule.id !== id);
		return this.rules.length < before;
	}

	clear(): void {
		this.rules = [];
	}

	/** The first rule that meets a request, counted as used; the address is the path with its query. */
	meet(method: string, address: string): FaultRule | undefined {
		const rule = this.rules.find(
			(candidate) =>
				candidate.left > 0 &&
				(candidate.method === undefined || candidate.method.toUpperCase() === method) &&
				candidate.matches(address) &&
				this.faker.number.float() < (candidate.probability ?? 1),
		);
		if (!rule) return undefined;
		rule.left--;
		return rule;
	}
}

/**
 * Lets a fault happen to an answer that has not begun. Returns true when the answer is thereby given or cut, false
 * when (after a delay) the operation may still answer.
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

/**
 * What a single request asks to go wrong, by `Prefer: code=429`, for trying out what a workflow makes of it.
 *
 * @returns undefined for any other preference
 */
export function preferredFault(prefer: string | string[] | undefined): Fault | undefined {
	const code = Number(/\bcode=([1-5]\d\d)\b/.exec(String(prefer))?.[1]);
	if (Number.isNaN(code) || code < 300) return undefined;
	if (code === 429 || code === 503) return { kind: 'rateLimit', status: code };
	return {
		kind: 'status',
		status: code,
		body: { title: `As asked for by Prefer: code=${code}`, status: code },
	};
}

interface FaultAnswer {
	status: number;
	headers: Record<string, string>;
	text: string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function faultAnswer(fault: Exclude<Fault, { kind: 'delay' } | { kind: 'cut' }>): FaultAnswer {
	switch (fault.kind) {
		case 'status': {
			const isText = typeof fault.body === 'string';
			const text = fault.body === undefined ? '' : isText ? String(fault.body) : JSON.stringify(fault.body);
			const type =
				fault.contentType ?? (isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8');
			return {
				status: fault.status,
				headers: { ...(text === '' ? {} : { 'content-type': type }), ...fault.headers },
				text,
			};
		}
		case 'cutMidBody':
			return { status: 200, headers: JSON_TYPE, text: '[{"guid":"5f0c' };
		case 'malformed':
			return { status: 200, headers: JSON_TYPE, text: '[{"guid":"5f0c", "status": ' };
		case 'html':
			return {
				status: fault.status ?? 502,
				headers: { 'content-type': 'text/html; charset=utf-8' },
				text: '<!doctype html><html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
			};
		case 'empty':
			return { status: fault.status ?? 200, headers: {}, text: '' };
		case 'rateLimit':
			return {
				status: fault.status ?? 429,
				headers: { ...JSON_TYPE, ...retryAfter(fault.retryAfter ?? 'seconds', fault.seconds ?? 1) },
				text: '{"title":"Too many requests"}',
			};
	}
}

function retryAfter(form: 'seconds' | 'date' | 'none', seconds: number): Record<string, string> {
	if (form === 'none') return {};
	if (form === 'seconds') return { 'retry-after': String(seconds) };
	return { 'retry-after': new Date(Math.ceil((Date.now() + seconds * 1000) / 1000) * 1000).toUTCString() };
}

/** Lets the operation act and answer, and puts the fault in the place of its answer. */
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
