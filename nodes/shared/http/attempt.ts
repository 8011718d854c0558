import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import get from 'lodash/get';
import isString from 'lodash/isString';

import { CallError, type CallFailure } from '../errors/failure';
import { isNodeError } from '../errors/nodeErrors';
import { redacted } from '../errors/secrets';
import { asText } from '../values/asText';
import { InvalidValueError } from '../values/invalidValue';
import { toJsonText } from '../values/longNumber';
import { isRecord } from '../values/record';
import { byDeadline } from './deadline';
import type { Sender } from './helpers';
import { type Call, type CallResult, type RawResponse, readOutcome, refusal } from './response';

/** What one attempt goes out with. */
export interface Authorization {
	send: Sender;
	/** The address that paths are appended to. */
	address: string;
	/** Of the account, the token included: no text may show them. */
	currentSecrets: () => readonly string[];
}

/** More redirects than this are a loop. */
const MAX_REDIRECTS = 5;
/** As n8n's own nodes have it. */
const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Makes one attempt at a call. `retry.ts` decides whether another follows.
 *
 * Sends a call and reads its response to the last byte. Redirects are followed below the account's address: elsewhere
 * the token and the `system` header have no business. It ends in time whatever n8n's helpers do: after a `101 Switching
 * Protocols` they wait for ever.
 *
 * @throws InvalidValueError where what was asked for cannot be sent; an Error for what is not foreseen
 */
export async function attemptCall(authorization: Authorization, call: Call): Promise<CallResult> {
	return await new Attempt(authorization, call).make();
}

class Attempt {
	private readonly timeoutMs: number;
	/** Whether the call's deadline comes before its timeout. */
	private readonly isCutShort: boolean;
	private response: RawResponse | undefined;

	constructor(
		private readonly authorization: Authorization,
		private readonly call: Call,
	) {
		const timeoutMs = call.timeout ?? DEFAULT_TIMEOUT_MS;
		const deadline = call.deadline ?? Infinity;
		const untilDeadlineMs = Math.ceil(deadline - performance.now());
		const leftMs = Math.max(1, untilDeadlineMs);
		this.isCutShort = leftMs < timeoutMs;
		this.timeoutMs = Math.min(timeoutMs, leftMs);
	}

	async make(): Promise<CallResult> {
		try {
			const deadline = performance.now() + this.timeoutMs;
			return await byDeadline(this.follow(), deadline);
		} catch (thrown) {
			return this.endedBy(thrown);
		} finally {
			this.response?.body.destroy();
		}
	}

	/** What an error means for the call. Where a refusal had begun to come, its status counts. */
	private endedBy(thrown: unknown): CallResult {
		const { response } = this;
		if (response && response.statusCode >= 400) {
			return refusal(response.statusCode, response.headers);
		}
		const failure = failureOf(thrown, this.secrets());
		if (isTimeout(failure) && !this.isCutShort) failure.timeoutMs = this.timeoutMs;
		return failure;
	}

	/** Sends the call to its path, and on to where the service redirects it. */
	private async follow(): Promise<CallResult> {
		const { address } = this.authorization;
		// n8n's helper would turn a call that changes something into a GET.
		const maxRedirects = this.call.method === 'GET' ? MAX_REDIRECTS : 0;
		let query = this.call.query ?? {};
		let url = address + this.call.path;
		for (let redirects = 0; ; redirects++) {
			const response = await this.sendTo(url, query);
			const status = response.statusCode;
			if (!isRedirect(status)) return await readOutcome(response, () => this.secrets(), this.call);
			response.body.destroy();
			const target = targetOf(response, url);
			const isBelow = target?.href.startsWith(`${address}/`);
			if (!target || !isBelow || redirects === maxRedirects) {
				return { kind: 'redirect', status, address: this.shownAddress(target) };
			}
			url = target.href;
			// The new address has a query of its own.
			query = {};
		}
	}

	private async sendTo(url: string, query: IDataObject): Promise<RawResponse> {
		const options = helperOptions(this.call, url, query);
		options.timeout = this.timeoutMs;
		this.response = await this.authorization.send(options);
		return this.response;
	}

	/** @returns an address as a message shows it: without its query, which can hold a token, and without a path that is encoded */
	private shownAddress(target: URL | undefined): string {
		if (!target) return '';
		const isEncoded = target.pathname.includes('%');
		const shown = isEncoded ? target.origin : target.origin + target.pathname;
		return redacted(shown, this.secrets());
	}

	private secrets(): readonly string[] {
		const ofAccount = this.authorization.currentSecrets();
		return ofAccount.concat(this.call.secrets ?? []);
	}
}

function isRedirect(status: number): boolean {
	if (status === 304) return false;
	return status >= 300 && status < 400;
}

/** @returns where a redirect leads to; undefined where it does not say */
function targetOf(response: RawResponse, from: string): URL | undefined {
	const location = asText(response.headers.location ?? '');
	if (location === '' || !URL.canParse(location, from)) return undefined;
	return new URL(location, from);
}

/** Whether a call took all the time that it had. */
function isTimeout(failure: CallFailure): failure is CallFailure & { kind: 'connection' } {
	if (failure.kind !== 'connection') return false;
	if (failure.isUnconnected) return false;
	return failure.code === 'ETIMEDOUT' || failure.code === 'ECONNABORTED';
}

/** @returns a call as n8n's helpers take it; the response comes as a stream, whatever its status */
function helperOptions(call: Call, url: string, query: IDataObject): IHttpRequestOptions {
	const headers: IDataObject = { Accept: 'application/json' };
	const options: IHttpRequestOptions = {
		method: call.method,
		url,
		qs: query,
		arrayFormat: 'repeat',
		headers,
		skipSslCertificateValidation: call.skipSslCertificateValidation,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	if (call.body instanceof URLSearchParams) {
		headers['Content-Type'] = 'application/x-www-form-urlencoded';
		options.body = call.body.toString();
	} else if (call.body !== undefined) {
		headers['Content-Type'] = 'application/json';
		options.body = toJsonText(call.body);
	}
	Object.assign(headers, call.headers);
	return options;
}

/**
 * @param thrown by n8n's helpers, which wrap what happened once or twice, or by this package
 * @throws what is no failure of a call
 */
function failureOf(thrown: unknown, secrets: readonly string[]): CallFailure {
	let code: string | undefined;
	let isUnconnected = false;
	for (const cause of causesOf(thrown)) {
		if (cause instanceof CallError) return cause.failure;
		if (cause instanceof InvalidValueError) throw cause;
		code ??= codeOf(cause);
		isUnconnected ||= isBeforeConnection(cause);
	}
	if (code === undefined) throw withoutRequest(thrown, secrets);
	const failure: CallFailure = { kind: 'connection', code };
	if (isUnconnected) failure.isUnconnected = true;
	return failure;
}

/** Of an error of n8n's helpers, which holds the request with its token, the words alone. */
function withoutRequest(thrown: unknown, secrets: readonly string[]): unknown {
	if (isNodeError(thrown)) return thrown;
	const message = get(thrown, 'message') ?? thrown;
	const text = redacted(asText(message), secrets);
	return new Error(text);
}

/** Whether an error came while a host was looked up or connected to. */
function isBeforeConnection(cause: Record<string, unknown>): boolean {
	return cause.syscall === 'connect' || cause.syscall === 'getaddrinfo';
}

/** @returns Node's code. Before n8n 2.36 an error of n8n's helpers has no cause, and the code in `httpCode` */
function codeOf(error: Record<string, unknown>): string | undefined {
	for (const code of [error.code, error.httpCode]) {
		if (isString(code) && /^[A-Z]/.test(code)) return code;
	}
	return undefined;
}

/** @returns a thrown value and what it says caused it; errors of Node itself are no `Error` of this realm everywhere */
function causesOf(thrown: unknown, levels = 5): Array<Record<string, unknown>> {
	if (!isRecord(thrown) || levels === 0) return [];
	// Where a host has several addresses, each has failed.
	const causes = [thrown.cause, thrown.errors].flat();
	const deeper = causes.flatMap((cause) => causesOf(cause, levels - 1));
	return [thrown].concat(deeper);
}
