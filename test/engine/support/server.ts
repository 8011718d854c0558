import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { forgetAll } from '../../../nodes/shared/values/recentMap';

/** One request as a test's own server received it. */
export interface Received {
	method: string;
	url: string;
	headers: IncomingMessage['headers'];
	body: string;
}

/** A server that a test answers for itself, on a free port of this machine. */
export interface TestServer {
	url: string;
	/** The requests received, oldest first. */
	received: Received[];
	close: () => Promise<void>;
}

export type Respond = (request: Received, response: ServerResponse) => void;

/**
 * Starts a server.
 *
 * @param respond gives the response to each request, or leaves it open
 * @param options key and certificate, for https; a port, where it has to be a certain one
 */
export async function startServer(
	respond: Respond,
	options: { key?: string; cert?: string; port?: number } = {},
): Promise<TestServer> {
	const isSecure = options.key !== undefined;
	const received: Received[] = [];
	const listener = (message: IncomingMessage, response: ServerResponse) => {
		const chunks: Buffer[] = [];
		message.on('data', (chunk: Buffer) => chunks.push(chunk));
		message.on('end', () => {
			const { method = '', url = '', headers } = message;
			const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
			received.push(request);
			respond(request, response);
		});
	};
	const server: Server = isSecure ? createSecureServer(options, listener) : createServer(listener);
	server.listen(options.port ?? 0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
		received,
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** For a test file: a server that has received nothing before each test, when the nodes hold no token either. */
export function useServer(...given: Parameters<typeof startServer>): TestServer {
	const server = {} as TestServer;
	beforeAll(async () => void Object.assign(server, await startServer(...given)));
	beforeEach(() => {
		forgetAll();
		server.received.length = 0;
	});
	afterAll(async () => await server.close());
	return server;
}

/** Data of a credential of each type, for a server that stands in for both services. */
export function credentialsAt(url: string) {
	return {
		hospitalityBookingApi: {
			baseUrl: url,
			authUrl: url,
			clientId: 'the-client',
			clientSecret: 'the-secret',
			system: 'the-system',
			timeZone: 'UTC',
			canceledStatuses: '5',
			noShowStatuses: 'none',
			finishedStatuses: '4',
		},
		hospitalityPaymentApi: {
			payUrl: url,
			customerId: '4711',
			password: 'the-password',
			carriedAs: 'bearer',
		},
	};
}

/** Answers with JSON. */
export function sendJson(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}

/** The response to a request for a token, of either service; undefined for any other request. */
export function tokenFor({ url, method }: Received): object | undefined {
	if (method !== 'POST') return undefined;
	if (url === '/connect/token') return { access_token: 'a-token-of-the-test', expires_in: 3600 };
	return url === '/authentication'
		? { AuthenticationToken: 'a-session-of-the-test', IsAuthenticated: true }
		: undefined;
}
