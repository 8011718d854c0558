import { type IHttpRequestOptions, NodeOperationError } from 'n8n-workflow';

import { CallError, type CallFault, TokenError } from '../errors/callFault';
import { type Redaction, responseRedaction } from '../errors/secrets';
import { withoutSlash } from '../values/address';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import type { Sender } from './helpers';
import { type Call, type Network, type Outcome, discard, proxySetting, readOutcome } from './response';

/** What one attempt goes out with. */
export interface Authorization {
	send: Sender;
	/** The address that paths are appended to. */
	address: string;
	/** Of the account: no text may show them. */
	secrets: readonly string[];
	/** Goes along with the call, so that the response may repeat it. Undefined for a call without a token. */
	token?: string;
}

/** As n8n's own nodes wait. */
const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Sends a call and reads its response to the last byte. Redirects are followed within the service's own origin: elsewhere
 * the token and the `system` header have no business.
 *
 * @throws TokenError or InvalidValueError where what was asked for cannot be sent; an Error for what is not foreseen
 */
export async function exchange(
	{ send, address, secrets, token }: Authorization,
	call: Call,
	maxRedirects = 0,
): Promise<Outcome> {
	const { path, network, deadline = Infinity } = call;
	const left = Math.ceil(deadline - performance.now());
	const timeout = Math.max(1, Math.min(network?.timeout ?? DEFAULT_TIMEOUT_MS, left));
	const endsAt = performance.now() + timeout;
	const redaction = responseRedaction([...secrets, ...(call.secrets ?? [])], token, call.documented);
	let options = helperOptions(call, timeout);
	let url = address + path;
	try {
		for (let redirects = 0; ; redirects++) {
			const raw = await send({ ...options, url, headers: { ...options.headers } });
			const { statusCode: status, headers } = raw;
			if (status < 300 || status >= 400 || status === 304)
				return await readOutcome(raw, url, endsAt, redaction, call);
			discard(raw);
			const target = redirectTarget(headers.location, url);
			if (target?.origin !== new URL(address).origin || redirects === maxRedirects)
				return { kind: 'redirect', status, ...redirectedTo(target, address, url, redaction.text) };
			options = { ...options, qs: {} };
			url = target.href;
		}
	} catch (thrown) {
		const causes = causesOf(thrown);
		const own = causes.find((cause) => cause instanceof TokenError || cause instanceof InvalidValueError);
		const fault = own ? undefined : faultIn(causes, url, network);
		if (fault) return fault;
		throw own ?? wordsOf(thrown, causes);
	}
}

/** @returns a call as n8n's helpers take it; the response comes as a stream, whatever its status */
function helperOptions(
	{ method, query = {}, headers, body, network }: Call,
	timeout: number,
): Omit<IHttpRequestOptions, 'url'> {
	const isForm = body instanceof URLSearchParams;
	const contentType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
	const hasBody = body !== undefined;
	return {
		...network,
		method,
		qs: query,
		arrayFormat: 'repeat',
		headers: {
			Accept: 'application/json',
			...(hasBody ? { 'Content-Type': contentType } : {}),
			...headers,
		},
		...(hasBody ? { body: isForm ? body.toString() : JSON.stringify(body) } : {}),
		timeout,
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

/**
 * Where a redirect leads to, for a message: the address to enter in a credential where the path of the call is the same
 * there, else the whole address. Without query, which can hold a token.
 *
 * @param address of the credential
 * @param called the address that was called, which begins with it
 */
function redirectedTo(
	target: URL | undefined,
	address: string,
	called: string,
	redact: Redaction,
): { address: string; isService: boolean } {
	if (!target) return { address: '', isService: false };
	const path = withoutSlash(new URL(called).pathname).slice(withoutSlash(new URL(address).pathname).length);
	const whole = withoutSlash(target.origin + target.pathname);
	const entered = withoutSlash(whole.slice(0, -path.length));
	const isService = whole.endsWith(path) && entered !== address;
	return { address: redact(isService ? entered : target.origin + target.pathname), isService };
}

type Cause = Readonly<Record<string, unknown>>;

/** @returns a thrown value and what it says caused it; errors of Node itself are no `Error` of this realm everywhere */
function causesOf(thrown: unknown): Cause[] {
	const causes: Cause[] = [];
	const add = (cause: unknown) => {
		if (!isRecord(cause) || causes.includes(cause)) return;
		causes.push(cause);
		add(cause.cause);
		if (Array.isArray(cause.errors)) cause.errors.forEach(add);
	};
	add(thrown);
	return causes;
}

/**
 * @param causes of what n8n's helpers threw, which wrap what happened once or twice, or this package
 * @returns the fault; undefined where it is none of a call
 */
function faultIn(causes: readonly Cause[], url: string, network?: Network): CallFault | undefined {
	const own = causes.find((cause) => cause instanceof CallError);
	if (own) return own.fault;
	const code = causes.map((cause) => cause.code).find((one) => typeof one === 'string');
	if (code?.startsWith('Z_'))
		return { kind: 'body', reason: 'format', status: 200, problem: `is not valid compressed data (${code})` };
	const hungUp = causes.some(({ message }) => String(message).startsWith('Proxy connection ended'));
	if (!hungUp && code === undefined) return undefined;
	return {
		kind: 'connection',
		code: hungUp ? 'ECONNRESET' : String(code),
		...(hungUp || isOfProxy(causes, url, network) ? { proxy: proxySetting(network) } : {}),
	};
}

/** Whether the connection that did not come about was to another host or port than the call's. */
function isOfProxy(causes: readonly Cause[], url: string, network?: Network): boolean {
	const { syscall, hostname, port } = causes.find((cause) => typeof cause.syscall === 'string') ?? {};
	if (syscall !== 'connect' && syscall !== 'getaddrinfo') return false;
	if (network?.proxy) return true;
	const called = new URL(url);
	if (syscall === 'getaddrinfo') return hostname !== called.hostname;
	return Number(port) !== Number(called.port || (called.protocol === 'https:' ? 443 : 80));
}

/** An error of n8n's helpers holds the request, with its token: only its words are kept. */
function wordsOf(thrown: unknown, [first]: readonly Cause[]): unknown {
	return thrown instanceof NodeOperationError ? thrown : new Error(String(first?.message ?? thrown));
}
