import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request to the service as the control interface shows it. */
export interface LoggedRequest {
	/** ISO 8601, by the machine's clock. */
	time: string;
	method: string;
	/** Without the query. */
	path: string;
	/** Repeated names as arrays. */
	query: Record<string, string | string[]>;
	rawUrl: string;
	/** Secrets redacted. */
	headers: Record<string, string | string[] | undefined>;
	/** Secrets redacted; undefined when there was none. */
	body?: unknown;
	/** null until there is a response, and if the connection was cut. */
	status: number | null;
	tokenRequest: boolean;
}

/** Figures of the service's work since they were last reset. */
export interface Stats {
	requests: number;
	byPath: Record<string, number>;
	byStatus: Record<string, number>;
	tokenRequests: number;
	/** Responses of 400 or higher, or none. */
	failedCalls: number;
	maxConcurrent: number;
}

const KEPT = 20_000;
const SECRET_FIELDS = new Set(['client_secret', 'Password', 'access_token', 'AuthenticationToken']);

function redact(value: string): string {
	const [scheme, token] = value.split(' ');
	return token === undefined ? '…' : `${scheme} ${token.slice(0, 6)}…`;
}

/** A copy of a body with `…` in place of secrets. */
function redactBody(body: unknown): unknown {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [name, SECRET_FIELDS.has(name) ? '…' : value]),
	);
}

function emptyStats(): Stats {
	return {
		requests: 0,
		byPath: {},
		byStatus: {},
		tokenRequests: 0,
		failedCalls: 0,
		maxConcurrent: 0,
	};
}

/** The requests received and their figures. Keeps the latest 20,000 requests; the figures count all. */
export class RequestLog {
	private entries: LoggedRequest[] = [];
	private readonly open = new WeakMap<IncomingMessage, LoggedRequest>();
	private concurrent = 0;
	stats: Stats = emptyStats();

	/** Records a request when it arrives, and its outcome when the response is sent or the connection is cut. */
	begin(request: IncomingMessage, response: ServerResponse, query: LoggedRequest['query']): void {
		const rawUrl = request.url ?? '';
		const [path = ''] = rawUrl.split('?');
		const entry: LoggedRequest = {
			time: new Date().toISOString(),
			method: request.method ?? '',
			path,
			query,
			rawUrl,
			headers: {
				...request.headers,
				...(request.headers.authorization
					? { authorization: redact(request.headers.authorization) }
					: {}),
			},
			status: null,
			tokenRequest: path === '/connect/token',
		};
		if (this.entries.length >= 2 * KEPT) this.entries = this.entries.slice(-KEPT);
		this.entries.push(entry);
		this.open.set(request, entry);
		this.concurrent++;
		const { stats } = this;
		stats.requests++;
		stats.byPath[path] = (stats.byPath[path] ?? 0) + 1;
		if (entry.tokenRequest) stats.tokenRequests++;
		stats.maxConcurrent = Math.max(stats.maxConcurrent, this.concurrent);
		response.once('close', () => {
			this.concurrent--;
			entry.status = response.writableFinished ? response.statusCode : null;
			const status = String(entry.status ?? 'cut');
			this.stats.byStatus[status] = (this.stats.byStatus[status] ?? 0) + 1;
			if (entry.status === null || entry.status >= 400) this.stats.failedCalls++;
		});
	}

	/** Records the body of a request. */
	body(request: IncomingMessage, body: unknown): void {
		const entry = this.open.get(request);
		if (entry) entry.body = redactBody(body);
	}

	/** The latest requests, oldest first. */
	list(count = KEPT): LoggedRequest[] {
		return this.entries.slice(-Math.min(count, KEPT));
	}

	clear(): void {
		this.entries = [];
	}

	resetStats(): void {
		this.stats = emptyStats();
		this.stats.maxConcurrent = this.concurrent;
	}
}
