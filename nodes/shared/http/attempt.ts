import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { CallError, type CallFailure } from '../errors/failure';
import { isNodeError } from '../errors/nodeErrors';
import { redacted } from '../errors/secrets';
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
		const { timeout = DEFAULT_TIMEOUT_MS, deadline = Infinity } = call;
		const leftMs = Math.max(1, Math.ceil(deadline - performance.now()));
		this.isCutShort = leftMs < timeout;
		this.timeoutMs = Math.min(timeout, leftMs);
	}

	async make(): Promise<CallResult> {
		try {
			return await byDeadline(this.follow(), performance.now() + this.timeoutMs);
		} catch (thrown) {
			if (this.response && this.response.statusCode >= 400)
				return refusal(this.response.statusCode, this.response.headers);
			const failure = failureOf(thrown, this.secrets());
			const { timeoutMs } = this;
			return isTimeout(failure) && !this.isCutShort ? { ...failure, timeoutMs } : failure;
		} finally {
			this.response?.body.destroy();
		}
	}

	/** Sends the call to its path, and on to where the service redirects it. */
	private async follow(): Promise<CallResult> {
		const { address, send } = this.authorization;
		// n8n's helper would turn a call that changes something into a GET.
		const maxRedirects = this.call.method === 'GET' ? MAX_REDIRECTS : 0;
		let options = helperOptions(this.call, this.timeoutMs);
		let url = address + this.call.path;
		for (let redirects = 0; ; redirects++) {
			const response = await send({ ...options, url, headers: { ...options.headers } });
			this.response = response;
			const { statusCode: status, headers } = response;
			if (status < 300 || status >= 400 || status === 304)
				return await readOutcome(response, () => this.secrets(), this.call);
			response.body.destroy();
			const target = targetOf(String(headers.location ?? ''), url);
			if (!target?.href.startsWith(`${address}/`) || redirects === maxRedirects)
				return { kind: 'redirect', status, address: this.shownAddress(target) };
			// The query is part of the new address.
			options = { ...options, qs: {} };
			url = target.href;
		}
	}

	/** @returns an address without its query, which can hold a token, and a path in which a secret may be encoded by halves */
	private shownAddress(target: URL | undefined): string {
		const path = target?.pathname.replace(/^[^%]*%.*$/, '') ?? '';
		return redacted((target?.origin ?? '') + path, this.secrets());
	}

	private secrets(): string[] {
		return [...this.authorization.currentSecrets(), ...(this.call.secrets ?? [])];
	}
}

/** @returns where a redirect leads to; undefined where it does not say */
function targetOf(location: string, from: string): URL | undefined {
	if (location === '' || !URL.canParse(location, from)) return undefined;
	return new URL(location, from);
}

/** Whether a call took all the time that it had. */
function isTimeout(failure: CallFailure): failure is CallFailure & { kind: 'connection' } {
	if (failure.kind !== 'connection' || failure.isUnconnected) return false;
	return failure.code === 'ETIMEDOUT' || failure.code === 'ECONNABORTED';
}

/** @returns a call as n8n's helpers take it; the response comes as a stream, whatever its status */
function helperOptions(call: Call, timeout: number): Omit<IHttpRequestOptions, 'url'> {
	const headers: IDataObject = { Accept: 'application/json' };
	let body: string | undefined;
	if (call.body instanceof URLSearchParams) {
		headers['Content-Type'] = 'application/x-www-form-urlencoded';
		body = call.body.toString();
	} else if (call.body !== undefined) {
		headers['Content-Type'] = 'application/json';
		body = toJsonText(call.body);
	}
	return {
		method: call.method,
		qs: call.query ?? {},
		arrayFormat: 'repeat',
		headers: { ...headers, ...call.headers },
		...(body === undefined ? {} : { body }),
		timeout,
		skipSslCertificateValidation: call.skipSslCertificateValidation,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * @param thrown by n8n's helpers, which wrap what happened once or twice, or by this package
 * @throws what is no failure of a call
 */
function failureOf(thrown: unknown, secrets: readonly string[]): CallFailure {
	const causes = causesOf(thrown);
	for (const cause of causes) {
		if (cause instanceof CallError) return cause.failure;
		if (cause instanceof InvalidValueError) throw cause;
	}
	const code = causes.map(codeOf).find((found) => found !== undefined);
	if (code === undefined) throw withoutRequest(thrown, secrets);
	const isUnconnected = causes.some(
		({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo',
	);
	return isUnconnected ? { kind: 'connection', code, isUnconnected } : { kind: 'connection', code };
}

/** Of an error of n8n's helpers, which holds the request with its token, the words alone. */
function withoutRequest(thrown: unknown, secrets: readonly string[]): unknown {
	if (isNodeError(thrown)) return thrown;
	const message = isRecord(thrown) ? thrown.message : undefined;
	return new Error(redacted(String(message ?? thrown), secrets));
}

/** @returns Node's code. Before n8n 2.36 an error of n8n's helpers has no cause, and the code in `httpCode` */
function codeOf({ code, httpCode }: Record<string, unknown>): string | undefined {
	const isCode = (value: unknown) => typeof value === 'string' && /^[A-Z]/.test(value);
	if (isCode(code)) return String(code);
	return isCode(httpCode) ? String(httpCode) : undefined;
}

/** @returns a thrown value and what it says caused it; errors of Node itself are no `Error` of this realm everywhere */
function causesOf(thrown: unknown, levels = 5): Array<Record<string, unknown>> {
	if (!isRecord(thrown) || levels === 0) return [];
	// Where a host has several addresses, each has failed.
	const causes = [thrown.cause, thrown.errors].flat();
	return [thrown, ...causes.flatMap((cause) => causesOf(cause, levels - 1))];
}
