import { CallError, type CallFault } from '../errors/callFault';
import { isRecord } from '../values/record';
import { type Network, proxySetting } from './response';

/** What is known of a call whose sending threw. */
interface Sent {
	/** The address that was called; undefined where it is connected to already. */
	url?: string;
	network?: Network;
}

/**
 * @param thrown by n8n's helpers, which wrap what happened once or twice, or by this package
 * @returns the fault; undefined where it is none of a call
 */
export function faultOf(thrown: unknown, sent: Sent = {}): CallFault | undefined {
	const causes = causesOf(thrown);
	const own = causes.find((cause) => cause instanceof CallError);
	if (own) return own.fault;
	const code = causes.map((cause) => cause.code).find((one) => typeof one === 'string');
	if (code?.startsWith('Z_'))
		return {
			kind: 'body',
			reason: 'format',
			status: 200,
			complaint: `is not valid compressed data (${code})`,
		};
	const hungUp = causes.some(({ message }) => String(message).startsWith('Proxy connection ended'));
	if (hungUp) return { kind: 'connection', code: 'ECONNRESET', proxy: proxySetting(sent.network) };
	if (code === undefined) return undefined;
	return {
		kind: 'connection',
		code,
		...(isOfProxy(causes, sent) ? { proxy: proxySetting(sent.network) } : {}),
	};
}

/** @returns a thrown value and what it says caused it; errors of Node itself are no `Error` of this realm everywhere */
export function causesOf(thrown: unknown): Array<Record<string, unknown>> {
	const causes: Array<Record<string, unknown>> = [];
	const add = (cause: unknown) => {
		if (!isRecord(cause) || causes.includes(cause)) return;
		causes.push(cause);
		add(cause.cause);
		if (Array.isArray(cause.errors)) cause.errors.forEach(add);
	};
	add(thrown);
	return causes;
}

/** Whether the connection that did not come about was to another host or port than the call's. */
function isOfProxy(causes: ReadonlyArray<Record<string, unknown>>, { url, network }: Sent): boolean {
	const { syscall, hostname, port } = causes.find((cause) => typeof cause.syscall === 'string') ?? {};
	if (syscall !== 'connect' && syscall !== 'getaddrinfo') return false;
	if (network?.proxy || url === undefined) return network?.proxy !== undefined;
	const called = new URL(url);
	if (syscall === 'getaddrinfo') return hostname !== called.hostname;
	return Number(port) !== Number(called.port || (called.protocol === 'https:' ? 443 : 80));
}
