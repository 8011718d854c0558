import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type HttpAnswer, send } from './client';

/** A request on its way to the sandbox; what a bend changes in it is what the sandbox gets. */
export interface Passing {
	method: string;
	path: string;
	query: URLSearchParams;
	headers: Record<string, string | undefined>;
	body?: string;
}

/** How a service differs from the sandbox: in what it takes from a request, and in what it sends. */
export interface Bend {
	/** @returns a response in place of the sandbox's, or nothing */
	request?: (passing: Passing) => Partial<HttpAnswer> | undefined;
	response?: (answer: HttpAnswer, passing: Passing) => HttpAnswer;
}

/** A service that is the sandbox but for one bend, on a port of its own. */
export class BentService {
	bend: Bend = {};
	private readonly server: Server;
	private readonly target: string;

	constructor(target: string) {
		this.target = target;
		this.server = createServer((request, response) => {
			void this.answer(request).then(({ status, headers, text: body }) => {
				const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers;
				response.writeHead(status, kept as Record<string, string>);
				response.end(body);
			});
		});
	}

	async listen(): Promise<string> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async answer(request: IncomingMessage): Promise<HttpAnswer> {
		const { pathname, searchParams } = new URL(request.url ?? '/', this.target);
		const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
		const body = await text(request);
		const passing: Passing = {
			method: request.method ?? 'GET',
			path: pathname,
			query: searchParams,
			headers: headers as Passing['headers'],
			body: body === '' ? undefined : body,
		};
		const own = this.bend.request?.(passing);
		if (own) return { status: 200, headers: { 'content-type': 'application/json' }, text: '', ...own };
		const query = passing.query.size > 0 ? `?${passing.query}` : '';
		const answer = await send(
			`${this.target}${passing.path}${query}`,
			passing.method,
			passing.headers,
			passing.body,
		);
		return this.bend.response?.(answer, passing) ?? answer;
	}
}
