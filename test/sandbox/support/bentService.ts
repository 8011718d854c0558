import { type Received, type TestServer, startServer } from '../../engine/support/server';
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

/** A service that is the sandbox but for one bend. */
export interface BentService extends TestServer {
	bend: Bend;
}

/** @param target address of the sandbox */
export async function startBentService(target: string): Promise<BentService> {
	const server = await startServer((request, response) => {
		void responseTo(request).then(({ status, headers, text }) => {
			const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers;
			response.writeHead(status, kept as Record<string, string>);
			response.end(text);
		});
	});
	const service: BentService = { ...server, bend: {} };

	async function responseTo({ method, url, headers, body }: Received): Promise<HttpAnswer> {
		const { pathname, searchParams } = new URL(url, target);
		const { host: _, connection: __, 'content-length': ___, ...kept } = headers;
		const passing: Passing = {
			method,
			path: pathname,
			query: searchParams,
			headers: kept as Passing['headers'],
			body: body === '' ? undefined : body,
		};
		const own = service.bend.request?.(passing);
		if (own) return { status: 200, headers: { 'content-type': 'application/json' }, text: '', ...own };
		const query = passing.query.size > 0 ? `?${passing.query}` : '';
		const answer = await send(`${target}${passing.path}${query}`, method, passing.headers, passing.body);
		return service.bend.response?.(answer, passing) ?? answer;
	}

	return service;
}
