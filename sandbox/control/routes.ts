import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { IANAZone } from 'luxon';
import type { Sandbox } from '../sandbox.ts';
import { addBookings, addCustomer, patchBooking, patchCustomer, patchRecipient } from './records.ts';
import type { FaultRule } from './faults.ts';

const fault = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('status'),
		status: z.number().int().min(100).max(599),
		headers: z.record(z.string()).optional(),
		body: z.unknown().optional(),
		contentType: z.string().optional(),
	}),
	z.object({ kind: z.literal('delay'), ms: z.number().min(0) }),
	z.object({ kind: z.literal('cut') }),
	z.object({ kind: z.literal('cutMidBody') }),
	z.object({ kind: z.literal('malformed') }),
	z.object({ kind: z.literal('html'), status: z.number().int().optional() }),
	z.object({ kind: z.literal('empty'), status: z.number().int().optional() }),
	z.object({
		kind: z.literal('rateLimit'),
		status: z.union([z.literal(429), z.literal(503)]).optional(),
		retryAfter: z.enum(['seconds', 'date', 'none']).optional(),
		seconds: z.number().int().min(0).optional(),
	}),
]);

const faultRule = z
	.object({
		method: z.string().optional(),
		path: z.string().optional(),
		probability: z.number().min(0).max(1).optional(),
		times: z.number().int().min(1).optional(),
		after: z.boolean().optional(),
		fault,
	})
	.strict();

const clock = z
	.object({
		skewMs: z.number().optional(),
		offset: z.enum(['Z', 'none', 'local']).optional(),
		timeZone: z.string().refine(IANAZone.isValidZone, 'is not an IANA time zone').optional(),
		freezeAt: z.string().datetime({ offset: true }).nullable().optional(),
	})
	.strict();

const lifetime = z.object({ lifetimeSeconds: z.number().int().min(1) }).strict();
const visibility = z.object({ delayMs: z.number().min(0) }).strict();
const fields = z.record(z.unknown());
const newBookings = z
	.object({ count: z.number().int().min(1).max(100_000).optional(), booking: fields.optional() })
	.strict();

type ById = { Params: { id: string } };

/** The control interface: how tests and the demo change the sandbox without going through the service. */
export function controlRoutes(sandbox: Sandbox) {
	const { log, faults, tokens, service, paymentTokens } = sandbox;
	const main = sandbox.mainState;
	return async (app: FastifyInstance): Promise<void> => {
		app.post('/faults', async ({ body }) => ({ id: faults.add(faultRule.parse(body) as FaultRule) }));
		app.delete('/faults', async () => done(() => faults.clear()));
		app.delete<ById>('/faults/:id', async ({ params }, reply) =>
			faults.remove(params.id) ? done() : reply.code(404).send({ error: `No fault ${params.id}` }),
		);
		app.get('/requests', async () => log.list());
		app.delete('/requests', async () => done(() => log.clear()));
		app.get('/stats', async () => log.stats);
		app.delete('/stats', async () => done(() => log.resetStats()));
		app.post('/tokens/revoke', async () =>
			done(() => {
				tokens().revokeAll();
				paymentTokens.revokeAll();
			}),
		);
		app.put('/tokens', async ({ body }) => {
			tokens().lifetimeSeconds = lifetime.parse(body).lifetimeSeconds;
			return done();
		});
		app.put('/clock', async ({ body }) => {
			const { freezeAt, ...settings } = clock.parse(body);
			service.clock.set(freezeAt === undefined ? settings : { ...settings, freezeAt: freezeAt ?? undefined });
			return service.clock.settings;
		});
		app.put('/visibility', async ({ body }) => {
			service.visibilityDelay = visibility.parse(body).delayMs;
			return done();
		});
		app.post('/bookings', async ({ body }) => {
			const { count, booking } = newBookings.parse(body ?? {});
			return addBookings(sandbox, count ?? 1, booking ?? {});
		});
		app.patch<ById>('/bookings/:id', async ({ params, body }, reply) => {
			const changed = patchBooking(sandbox, params.id, fields.parse(body));
			return changed ?? reply.code(404).send({ error: `No web booking ${params.id}` });
		});
		app.delete<ById>('/bookings/:id', async ({ params }, reply) =>
			main.bookings.remove(params.id)
				? done()
				: reply.code(404).send({ error: `No web booking ${params.id}` }),
		);
		app.post('/customers', async ({ body }) => addCustomer(sandbox, fields.parse(body ?? {})));
		app.patch<ById>('/customers/:id', async ({ params, body }, reply) => {
			const changed = patchCustomer(sandbox, params.id, fields.parse(body));
			return changed ?? reply.code(404).send({ error: `No customer ${params.id}` });
		});
		app.patch<ById>('/recipients/:id', async ({ params, body }, reply) => {
			const changed = patchRecipient(sandbox, params.id, fields.parse(body));
			return changed ?? reply.code(404).send({ error: `No survey recipient ${params.id}` });
		});
		app.get('/state', async () =>
			Object.fromEntries(Object.entries(main.collections()).map(([name, { size }]) => [name, size])),
		);
		app.get<{ Params: { collection: string } }>('/state/:collection', async ({ params }, reply) => {
			const collection = main.collections()[params.collection];
			return collection ? [...collection.all()] : reply.code(404).send({ error: `No ${params.collection}` });
		});
		app.post('/reset', async () => done(() => sandbox.reset()));

		app.setErrorHandler((error, _request, reply) => {
			if (error instanceof z.ZodError) {
				const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
				return reply.code(400).send({ error: problems.join('; ') });
			}
			const status =
				error instanceof SyntaxError ? 400 : ((error as { statusCode?: number }).statusCode ?? 500);
			return reply.code(status).send({ error: error instanceof Error ? error.message : String(error) });
		});
	};
}

/** Does something and answers that it is done. */
function done(act?: () => void): { done: true } {
	act?.();
	return { done: true };
}
