import type { IHttpRequestOptions } from 'n8n-workflow';

import { CallError, type CallFailure } from '../errors/failure';
import { isNodeError } from '../errors/nodeErrors';
import { redacted } from '../errors/secrets';
import { InvalidValueError } from '../values/invalidValue';
import { toJsonText } from '../values/longNumber';
import { isRecord } from '../values/record';
import type { Sender } from './helpers';
import {
	type Call,
	type CallResult,
	type RawResponse,
	byDeadline,
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
export async function attemptCall(
	{ send, address, currentSecrets }: Authorization,
	call: Call,
): Promise<CallResult> {
	const { method, path, deadline = Infinity } = call;
	// n8n's helper would turn a call that changes something into a GET.
	const maxRedirects = method === 'GET' ? MAX_REDIRECTS : 0;
	const left = Math.ceil(deadline - performance.now());
	const timeout = Math.max(1, Math.min(call.timeout ?? DEFAULT_TIMEOUT_MS, left));
	const secrets = () => [...currentSecrets(), ...(call.secrets ?? [])];
	let response: RawResponse | undefined;

	async function follow(): Promise<CallResult> {
		let options = helperOptions(call, timeout);
		let url = address + path;
		for (let redirects = 0; ; redirects++) {
			response = await send({ ...options, url, headers: { ...options.headers } });
			const { statusCode: status, headers } = response;
			if (status < 300 || status >= 400 || status === 304)
				return await readOutcome(response, secrets, call);
			response.body.destroy();
			const location = String(headers.location ?? '');
			const target = location && URL.canParse(location, url) ? new URL(location, url) : undefined;
			if (!target?.href.startsWith(`${address}/`) || redirects === maxRedirects)
				return {
					kind: 'redirect',
					status,
					// Without its query, which can hold a token, and a path in which a secret may be encoded by halves.
					address: target
						? redacted(target.origin + target.pathname.replace(/^[^%]*%.*$/, ''), secrets())
						: '',
				};
			options = { ...options, qs: {} };
			url = target.href;
		}
	}

	try {
		return await byDeadline(follow(), performance.now() + timeout);
	} catch (thrown) {
		if (response && response.statusCode >= 400)
			return refusal(response.statusCode, response.headers);
		return failureOf(thrown, secrets());
	} finally {
		response?.body.destroy();
	}
}

/** @returns a call as n8n's helpers take it; the response comes as a stream, whatever its status */
function helperOptions(
	{ method, query = {}, headers, body, skipSslCertificateValidation }: Call,
	timeout: number,
): Omit<IHttpRequestOptions, 'url'> {
	const isForm = body instanceof URLSearchParams;
	const contentType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
	const content = body === undefined ? {} : { 'Content-Type': contentType };
	return {
		method,
		qs: query,
		arrayFormat: 'repeat',
		headers: { Accept: 'application/json', ...content, ...headers },
		...(body === undefined ? {} : { body: isForm ? body.toString() : toJsonText(body) }),
		timeout,
		skipSslCertificateValidation,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * @param thrown by n8n's helpers, which wrap what happened once or twice, or by this package
 * @throws what is no failure of a call; of an error of n8n's helpers, which holds the request with its token, the words
 */
function failureOf(thrown: unknown, secrets: readonly string[]): CallFailure {
	const causes = causesOf(thrown);
	for (const cause of causes) {
		if (cause instanceof CallError) return cause.failure;
		if (cause instanceof InvalidValueError) throw cause;
	}
	// Before n8n 2.36 an error of n8n's helpers has no cause, and Node's code in `httpCode`.
	const codes = causes.flatMap(({ code, httpCode }) => [code, httpCode]);
	const code = codes.find((one): one is string => typeof one === 'string' && /^[A-Z]/.test(one));
	if (code === undefined)
		throw isNodeError(thrown)
			? thrown
			: new Error(redacted(String(causes[0]?.message ?? thrown), secrets));
	const isUnconnected = causes.some(
		({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo',
	);
	return { kind: 'connection', code, ...(isUnconnected ? { isUnconnected } : {}) };
}

/** @returns a thrown value and what it says caused it; errors of Node itself are no `Error` of this realm everywhere */
function causesOf(thrown: unknown, levels = 5): Array<Record<string, unknown>> {
	if (!isRecord(thrown) || levels === 0) return [];
	// Where a host has several addresses, each has failed.
	const causes = [thrown.cause, thrown.errors].flat();
	return [thrown, ...causes.flatMap((cause) => causesOf(cause, levels - 1))];
}
