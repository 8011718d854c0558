import { createHash } from 'node:crypto';
import trimEnd from 'lodash/trimEnd.js';
import { request } from 'undici';
import type { Account } from './account.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 20_000_000;

/** One call as it went, for the report. */
export interface CallRecord {
	operation: string;
	method: string;
	/** 0 where no response came. */
	status: number;
	ms: number;
	bytes: number;
	records?: number;
	/** Why the response could not be used; undefined where it could. */
	unusable?: string;
}

export interface CallInput {
	/** `operationId` of the contract. */
	operation: string;
	method?: 'GET' | 'POST' | 'PUT';
	url: string;
	query?: Record<string, string | number | boolean | Array<string | number> | undefined>;
	headers?: Record<string, string>;
	body?: string;
}

export interface CallResult {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	/** Parsed JSON; undefined without a body or where it could not be read. */
	body: unknown;
	isUsable: boolean;
}

/** Makes calls within bounds of time and size, one after the other, and notes each. */
export class Client {
	readonly calls: CallRecord[] = [];
	/** Milliseconds that the service's clock is ahead of this machine's, from the latest `Date` header. */
	clockAheadMs: number | undefined;
	readonly account: Account;
	private readonly endsAt: number;
	private token = '';

	/** @param minutes after which no further call starts */
	constructor(account: Account, minutes: number) {
		this.account = account;
		this.endsAt = Date.now() + minutes * 60_000;
	}

	get isOutOfTime(): boolean {
		return Date.now() >= this.endsAt;
	}

	/** Whether a response of the operation could be used. */
	hasRead(operation: string): boolean {
		return this.calls.some(
			(one) => one.operation === operation && one.unusable === undefined && isSuccess(one.status),
		);
	}

	/** Makes a call. Does not throw for what the service does; `isUsable` is false where no JSON came with a 2xx. */
	async call({
		operation,
		method = 'GET',
		url,
		query = {},
		headers = {},
		body,
	}: CallInput): Promise<CallResult> {
		const target = new URL(url);
		for (const [name, value] of Object.entries(query))
			for (const one of [value].flat()) if (one !== undefined) target.searchParams.append(name, String(one));
		const began = Date.now();
		const record: CallRecord = { operation, method, status: 0, ms: 0, bytes: 0 };
		this.calls.push(record);
		const result: CallResult = { status: 0, headers: {}, body: undefined, isUsable: false };
		if (this.isOutOfTime) {
			record.unusable = 'not made: the time of the run is over';
			return result;
		}
		try {
			const signal = AbortSignal.timeout(Math.min(TIMEOUT_MS, this.endsAt - began));
			const response = await request(target, {
				method,
				headers: {
					accept: 'application/json',
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
					...headers,
				},
				...(body === undefined ? {} : { body }),
				signal,
			});
			record.status = result.status = response.statusCode;
			result.headers = response.headers;
			this.readClock(response.headers.date);
			const text = await readWithin(response.body, record);
			record.unusable = readJson(text, response.headers['content-type'], result);
			if (Array.isArray(result.body)) record.records = result.body.length;
		} catch (error) {
			record.unusable = describe(error);
		}
		record.ms = Date.now() - began;
		result.isUsable = record.unusable === undefined && isSuccess(result.status);
		return result;
	}

	/** Makes a call to the booking service with its token. @param system false leaves the header out */
	async booking(input: Omit<CallInput, 'url'> & { path: string }, system = true): Promise<CallResult> {
		const { path, headers, ...rest } = input;
		return await this.call({
			...rest,
			url: withoutEnd(this.account.baseUrl).replace(/\/api\/booking$/i, '') + path,
			headers: {
				authorization: `Bearer ${this.token}`,
				...(system ? { system: this.account.system } : {}),
				...headers,
			},
		});
	}

	/** @see contract/openapi.yaml token.issue */
	async fetchToken(): Promise<CallResult> {
		const { authUrl, clientId, clientSecret } = this.account;
		const result = await this.call({
			operation: 'token.issue',
			method: 'POST',
			url: `${withoutEnd(authUrl)}/connect/token`,
			headers: { 'content-type': 'application/x-www-form-urlencoded' },
			body: new URLSearchParams({
				grant_type: 'client_credentials',
				client_id: clientId,
				client_secret: clientSecret,
				scope: 'publicAPI',
			}).toString(),
		});
		const { access_token: token } = (result.body ?? {}) as { access_token?: unknown };
		if (typeof token === 'string') this.token = token;
		return result;
	}

	/** Makes a call to the payment service, with `Location`, `Date` and `Digest`. */
	async payment(
		operation: string,
		method: 'GET' | 'POST',
		path: string,
		content: unknown,
		headers: Record<string, string> = {},
	): Promise<CallResult> {
		const url = withoutEnd(this.account.payment?.payUrl ?? '') + path;
		const body = JSON.stringify(content);
		const digest = createHash('sha256').update(body).digest('base64');
		const location = withoutEnd(this.account.payment?.payUrl ?? '') + `/v1${path}`;
		const signature = { location, date: new Date().toUTCString(), digest: `SHA-256=${digest}` };
		return await this.call({ operation, method, url, body, headers: { ...signature, ...headers } });
	}

	/** @returns a text of the service without the secrets of the account */
	redact(text: string): string {
		const { clientSecret, payment } = this.account;
		return [clientSecret, this.token, payment?.password ?? '']
			.filter((secret) => secret !== '')
			.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
	}

	private readClock(date: string | string[] | undefined): void {
		const time = typeof date === 'string' ? Date.parse(date) : Number.NaN;
		if (!Number.isNaN(time)) this.clockAheadMs = time - Date.now();
	}
}

function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

function withoutEnd(address: string): string {
	return trimEnd(address.trim(), '/');
}

/** @throws Error where the body is larger than the bound */
async function readWithin(body: AsyncIterable<Buffer>, record: CallRecord): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of body) {
		record.bytes += chunk.length;
		if (record.bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES / 1e6} MB; not read further`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** Puts the parsed body into the result. @returns why it could not be read, undefined where it could */
function readJson(text: string, type: string | string[] | undefined, result: CallResult): string | undefined {
	if (text.trim() === '')
		return isSuccess(result.status) && result.status !== 204 ? 'an empty body' : undefined;
	try {
		result.body = JSON.parse(text) as unknown;
		return undefined;
	} catch {
		if (!isSuccess(result.status)) return undefined;
		return /^\s*</.test(text) || String(type).includes('html') ? 'a web page, not JSON' : 'not JSON';
	}
}

function describe(error: unknown): string {
	const { name, code, message } = error as NodeJS.ErrnoException;
	if (name === 'TimeoutError' || name === 'AbortError')
		return `no complete response within ${TIMEOUT_MS / 1000} s`;
	return typeof code === 'string' ? code : message;
}
