import type { IHttpRequestOptions } from 'n8n-workflow';
import attempt from 'lodash/attempt';
import isError from 'lodash/isError';

import { CallError, type CallFailure } from '../errors/callFailure';
import { isNodeError } from '../errors/nodeErrors';
import { redacted } from '../errors/secrets';
import { withoutSlash } from '../values/address';
import { InvalidValueError } from '../values/invalidValue';
import { toJsonText } from '../values/longNumber';
import { isRecord } from '../values/record';
import type { Sender } from './helpers';
import {
	type Call,
	type CallOutcome,
	type RawResponse,
	byDeadline,
	discard,
	readOutcome,
	refusal,
} from './response';

/** What one attempt goes out with. */
export interface Authorization {
	send: Sender;
	/** The address that paths are appended to. */
	address: string;
	/** Of the account, the token included: no text may show them. */
	currentSecrets: () => readonly string[];
}

/** As n8n's own nodes have it. */
const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Sends a call and reads its response to the last byte. Redirects are followed within the service's own origin: elsewhere
 * the token and the `system` header have no business. It ends in time whatever n8n's helpers do: after a `101 Switching
 * Protocols` they wait for ever.
 *
 * @throws InvalidValueError where what was asked for cannot be sent; an Error for what is not foreseen
 */
export async function exchange(
	{ send, address, currentSecrets }: Authorization,
	call: Call,
	maxRedirects = 0,
): Promise<CallOutcome> {
	const { path, deadline = Infinity } = call;
	const left = Math.ceil(deadline - performance.now());
	const timeout = Math.max(1, Math.min(call.timeout ?? DEFAULT_TIMEOUT_MS, left));
	const secrets = () => [...currentSecrets(), ...(call.secrets ?? [])];
	let response: RawResponse | undefined;
	let isOver = false;

	async function follow(): Promise<CallOutcome> {
		let options = helperOptions(call, timeout);
		let url = address + path;
		for (let redirects = 0; ; redirects++) {
			response = await send({ ...options, url, headers: { ...options.headers } });
			if (isOver) discard(response);
			const { statusCode: status, headers } = response;
			if (status < 300 || status >= 400 || status === 304) return await readOutcome(response, secrets, call);
			discard(response);
			const target = redirectTarget(headers.location, url);
			const isWithin = target?.origin === new URL(address).origin && !target.username && !target.password;
			if (!isWithin || redirects === maxRedirects)
				return { kind: 'redirect', status, address: target ? withoutQuery(target, secrets()) : '' };
			options = { ...options, qs: {} };
			url = target.href;
		}
	}

	try {
		return await byDeadline(follow(), performance.now() + timeout);
	} catch (thrown) {
		if (response && response.statusCode >= 400) return refusal(response.statusCode, response.headers);
		const causes = causesOf(thrown);
		const refused = causes.find((cause) => cause instanceof InvalidValueError);
		const failure = refused ? undefined : failureIn(causes);
		if (failure) return failure;
		throw refused ?? withoutRequest(thrown, causes, secrets());
	} finally {
		isOver = true;
		if (response) discard(response);
	}
}

/** @returns a call as n8n's helpers take it; the response comes as a stream, whatever its status */
function helperOptions(
	{ method, query = {}, headers, body, skipSslCertificateValidation }: Call,
	timeout: number,
): Omit<IHttpRequestOptions, 'url'> {
	const isForm = body instanceof URLSearchParams;
	const contentType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
	const hasBody = body !== undefined;
	return {
		method,
		qs: query,
		arrayFormat: 'repeat',
		headers: {
			Accept: 'application/json',
			...(hasBody ? { 'Content-Type': contentType } : {}),
			...headers,
		},
		...(hasBody ? { body: isForm ? body.toString() : toJsonText(body) } : {}),
		timeout,
		...(skipSslCertificateValidation ? { skipSslCertificateValidation } : {}),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * @param location the `Location` header
 * @param from the address that was called
 * @returns where the redirect leads to, undefined for none or one that is not http(s)
 */
function redirectTarget(location: unknown, from: string): URL | undefined {
	if (typeof location !== 'string' || !URL.canParse(location, from)) return undefined;
	const target = new URL(location, from);
	return /^https?:$/.test(target.protocol) ? target : undefined;
}

/** For a message: a query can hold a token. */
function withoutQuery({ origin, pathname }: URL, secrets: readonly string[]): string {
	const address = withoutSlash(origin + pathname);
	const decoded = attempt(decodeURIComponent, address);
	return redacted(isError(decoded) ? address : decoded, secrets);
}

/** An error, or what it says caused it. */
type Cause = Readonly<Record<string, unknown>>;

/** @returns a thrown value and what it says caused it; errors of Node itself are no `Error` of this realm everywhere */
function causesOf(thrown: unknown): Cause[] {
	const causes: Cause[] = [];
	const add = (cause: unknown) => {
		if (!isRecord(cause) || causes.includes(cause)) return;
		causes.push(cause);
		// Where a host has several addresses, each has failed.
		for (const one of [cause.cause, ...(Array.isArray(cause.errors) ? cause.errors : [])]) add(one);
	};
	add(thrown);
	return causes;
}

/** Node's codes of a body that is not compressed as its header says: gzip and deflate, brotli, zstd. */
const NOT_COMPRESSED = /^(?:Z_|ERR__|ERR_BROTLI|ZSTD_)/;

/**
 * @param causes of what n8n's helpers threw, which wrap what happened once or twice, or this package
 * @returns the failure; undefined where it is none of a call
 */
function failureIn(causes: readonly Cause[]): CallFailure | undefined {
	const thrownHere = causes.find((cause) => cause instanceof CallError);
	if (thrownHere) return thrownHere.failure;
	const code = codeIn(causes);
	if (code === undefined) return undefined;
	if (NOT_COMPRESSED.test(code))
		return { kind: 'body', reason: 'format', status: 200, problem: `is not valid compressed data (${code})` };
	const isUnconnected = causes.some(({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo');
	return { kind: 'connection', code, ...(isUnconnected ? { isUnconnected } : {}) };
}

/** Node's code of what broke. Before n8n 2.36 an error of n8n's helpers has no cause, and the code in `httpCode`. */
function codeIn(causes: readonly Cause[]): string | undefined {
	const codes = causes.flatMap(({ code, httpCode }) => [code, httpCode]);
	return codes.find((one): one is string => typeof one === 'string' && /^[A-Z]/.test(one));
}

/** An error of n8n's helpers holds the request, with its token: only its words are kept. */
function withoutRequest(thrown: unknown, [first]: readonly Cause[], secrets: readonly string[]): unknown {
	if (isNodeError(thrown)) return thrown;
	return new Error(redacted(String(first?.message ?? thrown), secrets));
}
