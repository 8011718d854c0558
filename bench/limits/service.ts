import formbody from '@fastify/formbody';
import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BOOKINGS, type ServiceFacts } from '../requests/service.ts';

/** What the service allows. */
export interface Limits {
	latencyMs: number;
	/** Calls served at once; the rest wait. */
	served?: number;
	/** Calls at once above which it responds 429, after so many accepted. */
	accepted?: (total: number) => number;
	/** Calls a second above which it responds 429: a bucket that holds `burst`. */
	perSecond?: number;
	burst?: number;
	/** Seconds in `Retry-After` of a 429. */
	retryAfter?: number;
	/** Size of a response, filled up with text. */
	answerBytes?: number;
}

export interface LimitCounts {
	calls: number;
	throttled: number;
	mostAtOnce: number;
	/** Calls that came in a pause, later than those that were on their way when it was announced. */
	inPause: number;
}

export interface LimitedService {
	url: string;
	counts: LimitCounts;
	close(): Promise<void>;
}

/** Calls that left before the announcement could reach the client. */
const ON_THE_WAY_MS = 150;

/** Starts a service with limits on a free port of 127.0.0.1. */
export async function startLimitedService(facts: ServiceFacts, limits: Limits): Promise<LimitedService> {
	const { latencyMs, served = Infinity, accepted = () => Infinity, perSecond = Infinity } = limits;
	const { burst = perSecond, retryAfter, answerBytes = 0 } = limits;
	const counts: LimitCounts = { calls: 0, throttled: 0, mostAtOnce: 0, inPause: 0 };
	const waiting: Array<() => void> = [];
	let [underWay, beingServed, total] = [0, 0, 0];
	let [tokensLeft, filledAt, announcedAt] = [burst, performance.now(), -Infinity];
	const booking = JSON.parse(facts.booking) as object;
	const text = JSON.stringify({ ...booking, message: 'x'.repeat(answerBytes) });

	const allows = (now: number) => {
		if (underWay >= accepted(total)) return false;
		if (perSecond === Infinity) return true;
		tokensLeft = Math.min(burst, tokensLeft + ((now - filledAt) / 1000) * perSecond);
		filledAt = now;
		if (tokensLeft < 1) return false;
		tokensLeft--;
		return true;
	};

	const app = fastify({ forceCloseConnections: true, bodyLimit: 10_000_000 });
	await app.register(formbody);
	app.post('/connect/token', () => ({
		access_token: crypto.randomUUID(),
		token_type: 'Bearer',
		expires_in: 3600,
		scope: 'publicAPI',
	}));
	await app.register((operations, _options, done) => {
		operations.addHook('preHandler', async (_request, reply) => {
			const now = performance.now();
			counts.calls++;
			const pauseEnds = announcedAt + (retryAfter ?? 0) * 1000;
			if (now > announcedAt + ON_THE_WAY_MS && now < pauseEnds) counts.inPause++;
			if (!allows(now)) {
				counts.throttled++;
				if (retryAfter !== undefined) {
					if (now > pauseEnds) announcedAt = now;
					void reply.header('retry-after', String(retryAfter));
				}
				return reply.code(429).send({ title: 'Too many requests' });
			}
			total++;
			counts.mostAtOnce = Math.max(counts.mostAtOnce, ++underWay);
			if (beingServed >= served) await new Promise<void>((resolve) => waiting.push(resolve));
			beingServed++;
			if (latencyMs > 0) await sleep(latencyMs);
			beingServed--;
			waiting.shift()?.();
			underWay--;
			return undefined;
		});
		operations.get(BOOKINGS, (_request, reply) => reply.type('application/json').send(`[${text}]`));
		operations.put(BOOKINGS, (_request, reply) => reply.type('application/json').send(text));
		done();
	});
	await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
	return {
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
		counts,
		close: () => app.close(),
	};
}
