import { type ProxySetting, certificateProblem, isNotConnected } from '../errors/callFailure';
import type { Network, RawResponse } from './response';

/** An error, or what it says caused it. */
export type Cause = Readonly<Record<string, unknown>>;

const settingOf = (network?: Network): ProxySetting => (network?.proxy ? 'own' : 'n8n');

/** @returns user and password as they stand in the form; n8n takes them encoded */
export function proxySecrets({ proxy }: Network = {}): string[] {
	const { username = '', password = '' } = proxy?.auth ?? {};
	return [username, password].map(decodeURIComponent);
}

/**
 * 407 is a proxy's alone, and so is what comes in the clear to an https call: there is no tunnel to the service. From 2.41 on
 * only n8n's older helper shows the connection; any other refusal counts as the service's, which may have acted.
 *
 * @returns where the proxy is set that has refused a call; undefined where the service has responded
 */
export function refusingProxy({ statusCode, body }: RawResponse, url: string, network?: Network) {
	const { socket } = body as { socket?: { encrypted?: boolean } };
	const isTunnelRefused = url.startsWith('https:') && socket !== undefined && !socket.encrypted;
	return statusCode === 407 || isTunnelRefused ? settingOf(network) : undefined;
}

/** @returns where the proxy is set that could not be reached, or perhaps not; undefined where it is the service */
export function failedProxy(causes: readonly Cause[], code: string, url: string, network?: Network) {
	if (hungUp(causes)) return settingOf(network);
	// TLS begins after the tunnel, unless the proxy itself has it: then the certificate may be either one's.
	const mayBeIts = network?.proxy?.protocol === 'https' && certificateProblem(code) !== undefined;
	if (network?.proxy) return mayBeIts || isNotConnected(code) ? settingOf(network) : undefined;
	const { syscall, hostname, port } = causes.find((cause) => typeof cause.syscall === 'string') ?? {};
	const called = new URL(url);
	const calledPort = called.port || (called.protocol === 'https:' ? 443 : 80);
	const isOther =
		(syscall === 'getaddrinfo' && hostname !== called.hostname) ||
		(syscall === 'connect' && Number(port) !== Number(calledPort));
	return isOther ? settingOf(network) : undefined;
}

/** What the agents of n8n say of a proxy that ends the connection before there is a tunnel: it has no code. */
export function hungUp(causes: readonly Cause[]): boolean {
	return causes.some(({ message }) => String(message).startsWith('Proxy connection ended'));
}
