import formbody from '@fastify/formbody';
import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const CHECK_IN = '/api/booking/v1/booking/checkout/bookings/CheckIn';

/** A call that changed something, in the order in which the service acted. */
interface Act {
	bookingRootId: number;
	/** n8n's number of the execution, as the workflow sends it. */
	execution: string;
}

interface ServiceSettings {
	/** Milliseconds that a call takes. */
	latencyMs: number;
	/** Calls that may be under way; the next one is answered with 429. */
	callsAtOnce: number;
	/** Share of calls answered with 503 and `Retry-After: 1` without having acted. */
	unavailableShare: number;
	/** Share of calls that are acted on and whose connection is cut before the answer. */
	cutShare: number;
}

/** The check-in of the booking service, which counts what it has done. */
export interface CountingService {
	url: string;
	settings: ServiceSettings;
	acts: Act[];
	tokenRequests: number;
	/** All calls but token requests, refused ones included, and those refused with 429 and 401. */
	calls: number;
	tooMany: number;
	unauthorized: number;
	/** Makes every token issued so far invalid. */
	revokeTokens(): void;
	close(): Promise<void>;
}

export const SERVICE_ACCOUNT = { clientId: 'scale', clientSecret: 'scale-secret', system: 'harbour-house' };

/** Starts the service on a free port of 127.0.0.1: no limit, no delay, nothing fails until `settings` say so. */
export async function startCountingService(): Promise<CountingService> {
	let tokens = new Set<string>();
	let underWay = 0;
	const app = fastify({ forceCloseConnections: true });
	await app.register(formbody);
	const service: CountingService = {
		url: '',
		settings: { latencyMs: 0, callsAtOnce: Infinity, unavailableShare: 0, cutShare: 0 },
		acts: [],
		tokenRequests: 0,
		calls: 0,
		tooMany: 0,
		unauthorized: 0,
		revokeTokens: () => void (tokens = new Set()),
		close: () => app.close(),
	};
	app.post('/connect/token', async () => {
		service.tokenRequests++;
		const token = crypto.randomUUID();
		tokens.add(token);
		return { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: 'publicAPI' };
	});
	app.put<{ Params: { id: string }; Querystring: { cashierName?: string } }>(
		`${CHECK_IN}/:id`,
		async (request, reply) => {
			service.calls++;
			if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) {
				service.unauthorized++;
				return reply.code(401).send({ title: 'Unauthorized' });
			}
			if (underWay >= service.settings.callsAtOnce) {
				service.tooMany++;
				return reply.code(429).send({ title: 'Too Many Requests' });
			}
			underWay++;
			try {
				const { latencyMs, unavailableShare, cutShare } = service.settings;
				if (Math.random() < unavailableShare) {
					return await reply.code(503).header('retry-after', '1').send({ title: 'Service Unavailable' });
				}
				const bookingRootId = Number(request.params.id);
				service.acts.push({ bookingRootId, execution: request.query.cashierName ?? '' });
				if (latencyMs > 0) await sleep(latencyMs);
				if (Math.random() < cutShare) {
					request.raw.destroy();
					return await reply.hijack();
				}
				return { bookingRootId, status: 2, guests: 2 };
			} finally {
				underWay--;
			}
		},
	);
	await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
	service.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
	return service;
}
