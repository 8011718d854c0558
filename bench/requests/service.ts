import formbody from '@fastify/formbody';
import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../dev/sandbox.ts';

export const BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
export const RECIPIENTS = '/api/booking/v1/Survey/Recipients';

/** The booking service, which responds from memory: no storage, no checks but the token's. */
export type InstantService = Awaited<ReturnType<typeof startInstantService>>;

/** One web booking with its guest and one recipient with its survey, of the sandbox: they have the size and shape of real ones. */
async function recordResponses(sandbox: Sandbox): Promise<{ booking: object; recipient: object }> {
	const firstOf = async (path: string) => {
		const [first] = (await sandbox.read(path)) as Array<{ id: string }>;
		if (!first) throw new Error(`The sandbox has nothing at ${path} to take as a response.`);
		return first;
	};
	const { id } = await firstOf(RECIPIENTS);
	return {
		booking: await firstOf(`${BOOKINGS}?changedFrom=2000-01-01T00:00:00Z&includeContact=true`),
		recipient: (await sandbox.read(`${RECIPIENTS}/${id}/WithSurvey`)) as object,
	};
}

/** How it differs from one that responds with that at once. */
export interface Behavior {
	/** Decides on each call, when it comes: a status, and seconds in `Retry-After`. */
	allow?: () => Promise<{ status: number; retryAfter?: number }>;
	/** The message of the booking. */
	message?: string;
}

/** Starts the service on a free port of 127.0.0.1. */
export async function startInstantService(sandbox: Sandbox, { allow, message }: Behavior) {
	const { booking, recipient } = await recordResponses(sandbox);
	const sent = JSON.stringify(message === undefined ? booking : { ...booking, message });
	let counts = noCounts();
	const tokens = new Set<string>();
	let underWay = 0;
	const app = fastify({ forceCloseConnections: true });
	const service = {
		url: '',
		/** Milliseconds that every response takes. */
		delayMs: 0,
		/** @returns the counts so far, and begins anew */
		take: () => {
			const taken = counts;
			counts = noCounts();
			return taken;
		},
		close: () => app.close(),
	};
	await app.register(formbody);
	app.addHook('preHandler', async () => {
		if (service.delayMs > 0) await sleep(service.delayMs);
	});
	app.addHook('onResponse', async (_request, reply) => {
		if (reply.statusCode >= 400) counts.failedCalls++;
	});

	app.post('/connect/token', () => {
		counts.tokenRequests++;
		const token = crypto.randomUUID();
		tokens.add(token);
		return { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: 'publicAPI' };
	});

	await app.register(async (operations) => {
		operations.addHook('onRequest', async (_request, reply) => {
			counts.mostAtOnce = Math.max(counts.mostAtOnce, ++underWay);
			reply.raw.once('close', () => underWay--);
		});
		operations.addHook('preHandler', async (request, reply) => {
			const { method, url, headers, body } = request;
			counts.calls++;
			counts.asked.push({ method, url, body });
			if (!tokens.has(headers.authorization?.replace('Bearer ', '') ?? '')) {
				return reply.code(401).send({ title: 'Unauthorized' });
			}
			const { status, retryAfter } = (await allow?.()) ?? { status: 200 };
			if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
			return status === 200 ? undefined : reply.code(status).send({ title: 'Too many requests' });
		});
		const send = (json: string) => async (_request: unknown, reply: { type(type: string): unknown }) => {
			reply.type('application/json; charset=utf-8');
			return json;
		};
		operations.get(BOOKINGS, send(`[${sent}]`));
		operations.put(BOOKINGS, send(sent));
		operations.get(`${RECIPIENTS}/:id/WithSurvey`, send(JSON.stringify(recipient)));
	});

	await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
	service.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
	return service;
}

function noCounts() {
	return {
		/** Calls of operations, repeated ones included; token requests are not among them. */
		calls: 0,
		tokenRequests: 0,
		/** Responses from status 400. */
		failedCalls: 0,
		/** Calls that the service had under way at the same time. */
		mostAtOnce: 0,
		/** Every call: to see that both sides asked the same. */
		asked: new Array<{ method: string; url: string; body: unknown }>(),
	};
}
