import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { IANAZone } from 'luxon';
import type { Sandbox } from '../sandbox.ts';
import type { Collections } from '../state/state.ts';
import { faultRule } from './faults.ts';
import {
	addBookings,
	addCustomer,
	patchBooking,
	patchCustomer,
	patchRecipient,
} from './records.ts';

const clock = z
	.object({
		skewMs: z.number().optional(),
		offset: z.enum(['Z', 'none', 'local']).optional(),
		timeZone: z.string().refine(IANAZone.isValidZone, 'is not an IANA time zone').optional(),
	})
	.strict();

const lifetime = z.object({ lifetimeSeconds: z.number().int().min(1) }).strict();
const visibility = z.object({ delayMs: z.number().min(0) }).strict();
const fields = z.record(z.unknown());
const newBookings = z
	.object({ count: z.number().int().min(1).max(100_000).optional(), booking: fields.optional() })
	.strict();

const PATCHES = { bookings: patchBooking, customers: patchCustomer, recipients: patchRecipient };

type ById = { Params: { id: string } };

/** The control interface: how tests and the demo change the sandbox without going through the service. */
export function controlRoutes(sandbox: Sandbox) {
	const { log, faults, tokens, service, paymentTokens } = sandbox;
	const { records } = sandbox.mainState;
	return async (app: FastifyInstance): Promise<void> => {
		app.post('/faults', async ({ body }) => ({ id: faults.add(faultRule.parse(body)) }));
		app.delete('/faults', async () => done(() => faults.clear()));
		app.delete<ById>('/faults/:id', async ({ params: { id } }) =>
			found(faults.remove(id) && {}, id),
		);
		app.get('/requests', async () => log.list());
		app.delete('/requests', async () => done(() => log.clear()));
		app.get('/stats', async () => log.stats);
		app.delete('/stats', async () => done(() => log.resetStats()));
		app.post('/tokens/revoke', async () =>
			done(() => {
				tokens().revokeAll();
				paymentTokens.clear();
			}),
		);
		app.put('/tokens', async ({ body }) =>
			done(() => {
				tokens().lifetimeSeconds = lifetime.parse(body).lifetimeSeconds;
			}),
		);
		app.put('/clock', async ({ body }) => done(() => service.clock.set(clock.parse(body))));
		app.put('/visibility', async ({ body }) =>
			done(() => {
				service.visibilityDelay = visibility.parse(body).delayMs;
			}),
		);
		app.post('/bookings', async ({ body }) => {
			const { count, booking } = newBookings.parse(body ?? {});
			return addBookings(sandbox, count ?? 1, booking ?? {});
		});
		app.post('/customers', async ({ body }) => addCustomer(sandbox, fields.parse(body ?? {})));
		for (const [kind, patch] of Object.entries(PATCHES)) {
			app.patch<ById>(`/${kind}/:id`, async ({ params: { id }, body }) =>
				found(patch(sandbox, id, fields.parse(body)), id),
			);
		}
		app.delete<ById>('/bookings/:id', async ({ params: { id } }) =>
			found(records.bookings.remove(id) && {}, id),
		);
		app.get('/state', async () =>
			Object.fromEntries(Object.entries(records).map(([kind, { size }]) => [kind, size])),
		);
		app.get<ById>('/state/:id', async ({ params: { id } }) =>
			found(id in records && [...records[id as keyof Collections].all()], id),
		);
		app.post('/reset', async () => done(() => sandbox.reset()));

		app.setErrorHandler((error, _request, reply) => {
			if (error instanceof z.ZodError) {
				const problems = error.issues.map(
					({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
				);
				return reply.code(400).send({ error: problems.join('; ') });
			}
			const { statusCode = 500, message } = error as Error & { statusCode?: number };
			return reply.code(error instanceof SyntaxError ? 400 : statusCode).send({ error: message });
		});
	};
}

/** Does something and answers that it is done. */
function done(act: () => void): { done: true } {
	act();
	return { done: true };
}

/** What was found; a 404 if there is nothing of that id. */
function found<T>(what: T | false | undefined, id: string): T {
	if (what === false || what === undefined) {
		throw Object.assign(new Error(`No ${id}`), { statusCode: 404 });
	}
	return what;
}
