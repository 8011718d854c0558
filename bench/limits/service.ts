import formbody from '@fastify/formbody';
import { fastify, type FastifyReply } from 'fastify';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOOKINGS, type ServiceFacts } from '../requests/service.ts';

/** What the service allows. */
export interface Limits {
	latencyMs: number;
	/** Calls served at once; the rest wait. */
	served?: number;
	/** Calls at once above which it answers 429, after so many accepted. */
	accepted?: (total: number) => number;
	/** Calls a second above which it answers 429: a bucket that holds a second's worth. */
	perSecond?: number;
	/** Seconds in `Retry-After` of a 429. */
	retryAfter?: number;
	/** Seconds that the first token lives; an hour unless set. */
	firstTokenLives?: number;
	/** After so many calls all tokens given out so far are refused. */
	revokeAfter?: number;
	/** Articles whose name begins so are refused with their whole batch, without saying which. */
	badArticle?: string;
	/** Size of an answer, filled up with text. */
	answerBytes?: number;
}

export interface LimitCounts {
	calls: number;
	refused: number;
	unauthorized: number;
	tokenRequests: number;
	mostAtOnce: number;
	/** Connections open at once, each for one call: those on their way to being read are among them. */
	mostConnections: number;
	/** Calls that came in a pause, later than those that were on their way when it was announced. */
	inPause: number;
	articlesApplied: number;
}

export interface LimitedService {
	url: string;
	counts: LimitCounts;
	close(): Promise<void>;
}

/** Calls that left before the announcement could reach the client. */
const ON_THE_WAY_MS = 150;
const HOUR_S = 3600;

/** Starts a service with limits on a free port of 127.0.0.1. */
export async function startLimitedService(facts: ServiceFacts, limits: Limits): Promise<LimitedService> {
	const { latencyMs, served = Infinity, accepted, perSecond, retryAfter, answerBytes = 0 } = limits;
	const counts: LimitCounts = {
		calls: 0,
		refused: 0,
		unauthorized: 0,
		tokenRequests: 0,
		mostAtOnce: 0,
		mostConnections: 0,
		inPause: 0,
		articlesApplied: 0,
	};
	const tokens = new Set<string>();
	const waiting: Array<() => void> = [];
	let [underWay, beingServed, total] = [0, 0, 0];
	let [tokensLeft, filledAt, announcedAt] = [perSecond ?? Infinity, performance.now(), -Infinity];
	const booking = JSON.parse(facts.booking) as object;
	const text = JSON.stringify({ ...booking, message: 'x'.repeat(answerBytes) });

	const refills = (now: number) => {
		if (perSecond === undefined) return true;
		tokensLeft = Math.min(perSecond, tokensLeft + ((now - filledAt) / 1000) * perSecond);
		filledAt = now;
		return tokensLeft >= 1;
	};
	const turn = async () => {
		if (beingServed >= served) await new Promise<void>((resolve) => waiting.push(resolve));
		beingServed++;
	};

	const app = fastify({ forceCloseConnections: true, bodyLimit: 10_000_000 });
	await app.register(formbody);
	app.post<{ Body: Record<string, string> }>('/connect/token', async () => {
		const token = crypto.randomUUID();
		tokens.add(token);
		const expires_in = counts.tokenRequests++ === 0 ? (limits.firstTokenLives ?? HOUR_S) : HOUR_S;
		return { access_token: token, token_type: 'Bearer', expires_in, scope: 'publicAPI' };
	});
	const refuse = (reply: FastifyReply, now: number) => {
		counts.refused++;
		if (retryAfter !== undefined) {
			if (now > announcedAt + retryAfter * 1000) announcedAt = now;
			void reply.header('retry-after', String(retryAfter));
		}
		return reply.code(429).send({ title: 'Too many requests' });
	};
	await app.register(async (operations) => {
		operations.addHook('preHandler', async (request, reply) => {
			const now = performance.now();
			counts.calls++;
			if (limits.revokeAfter === counts.calls) tokens.clear();
			if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? '')) {
				counts.unauthorized++;
				return reply.code(401).send({ title: 'Unauthorized' });
			}
			const pauseEnds = announcedAt + (retryAfter ?? 0) * 1000;
			if (now > announcedAt + ON_THE_WAY_MS && now < pauseEnds) counts.inPause++;
			if (accepted && underWay >= accepted(total)) return refuse(reply, now);
			if (!refills(now)) return refuse(reply, now);
			tokensLeft--;
			total++;
			counts.mostAtOnce = Math.max(counts.mostAtOnce, ++underWay);
			await turn();
			if (latencyMs > 0) await sleep(latencyMs);
			beingServed--;
			waiting.shift()?.();
			underWay--;
			return undefined;
		});
		operations.get(BOOKINGS, async (_request, reply) => reply.type('application/json').send(`[${text}]`));
		operations.put(BOOKINGS, async (_request, reply) => reply.type('application/json').send(text));
		operations.post<{ Body: { items: Array<{ articleId: string; name: string }> } }>(
			'/api/am/v1/articles/:company/:brand/batch-update',
			async ({ body: { items } }, reply) => {
				if (limits.badArticle && items.some(({ name }) => name.startsWith(limits.badArticle ?? ''))) {
					return reply.code(400).send({ statusCode: 400, message: 'Not valid', validationErrors: [] });
				}
				counts.articlesApplied += items.length;
				return { items };
			},
		);
	});
	let connections = 0;
	app.server.on('connection', (socket) => {
		counts.mostConnections = Math.max(counts.mostConnections, ++connections);
		socket.once('close', () => connections--);
	});
	await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
	return {
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
		counts,
		close: () => app.close(),
	};
}
