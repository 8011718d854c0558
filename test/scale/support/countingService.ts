import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Received, type TestServer, sendJson, startServer } from '../../engine/support/server';

const CHECK_IN = /^\/api\/booking\/v1\/booking\/checkout\/bookings\/CheckIn\/(\d+)$/;

/** The check-in of the booking service, which counts what it has done. */
export class CountingService {
	/** No limit, no delay, nothing fails until these say so. */
	readonly settings = {
		/** Milliseconds that a call takes. */
		latencyMs: 0,
		/** Calls that may be under way; the next one is answered with 429. */
		callsAtOnce: Infinity,
		/** Share of calls answered with 503 and `Retry-After: 1` without having acted. */
		unavailableShare: 0,
		/** Share of calls that are acted on and whose connection is cut before the answer. */
		cutShare: 0,
	};
	/** The calls that changed something, with n8n's number of the execution, as the workflow sends it. */
	readonly acts: Array<{ bookingRootId: number; execution: string }> = [];
	tokenRequests = 0;
	/** All calls but token requests, refused ones included, and those refused with 429 and 401. */
	calls = 0;
	tooMany = 0;
	unauthorized = 0;
	private readonly tokens = new Set<string>();
	private underWay = 0;
	private server!: TestServer;

	static async start(): Promise<CountingService> {
		const service = new CountingService();
		service.server = await startServer((request, response) => void service.respond(request, response));
		return service;
	}

	get url(): string {
		return this.server.url;
	}

	/** Makes every token issued so far invalid. */
	revokeTokens(): void {
		this.tokens.clear();
	}

	private async respond({ url, headers }: Received, response: ServerResponse): Promise<void> {
		if (url === '/connect/token') {
			this.tokenRequests++;
			const token = crypto.randomUUID();
			this.tokens.add(token);
			sendJson(response, { access_token: token, token_type: 'Bearer', expires_in: 3600 });
			return;
		}
		this.calls++;
		if (!this.tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) {
			this.unauthorized++;
			sendJson(response, { title: 'Unauthorized' }, 401);
		} else if (this.underWay >= this.settings.callsAtOnce) {
			this.tooMany++;
			sendJson(response, { title: 'Too Many Requests' }, 429);
		} else {
			this.underWay++;
			await this.checkIn(new URL(url, this.url), response);
			this.underWay--;
		}
	}

	private async checkIn({ pathname, searchParams }: URL, response: ServerResponse): Promise<void> {
		const { latencyMs, unavailableShare, cutShare } = this.settings;
		if (Math.random() < unavailableShare) {
			response.setHeader('retry-after', '1');
			sendJson(response, { title: 'Service Unavailable' }, 503);
			return;
		}
		const bookingRootId = Number(CHECK_IN.exec(pathname)?.[1]);
		this.acts.push({ bookingRootId, execution: searchParams.get('cashierName') ?? '' });
		if (latencyMs > 0) await sleep(latencyMs);
		if (Math.random() < cutShare) response.destroy();
		else sendJson(response, { bookingRootId, status: 2, guests: 2 });
	}

	async close(): Promise<void> {
		await this.server.close();
	}
}
