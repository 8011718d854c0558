import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { invalid } from '../http/serviceError.ts';
import { MEANT_STATUSES, type SandboxInfo } from '../info.ts';
import { HAPPENINGS } from '../live.ts';
import type { Sandbox } from '../sandbox.ts';
import { pageTables } from './tables.ts';

const ASSETS = fileURLToPath(new URL('assets/', import.meta.url));

/** The page loads nothing but its own files, runs no script within it, and stands in no frame. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"connect-src 'self'",
	'img-src data:',
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join('; ');

const happening = z.object({ what: z.enum(Object.keys(HAPPENINGS) as [keyof typeof HAPPENINGS]) });

/** The start page for people at `/`, and what it reads. */
export function pageRoutes(sandbox: Sandbox, info: () => SandboxInfo) {
	const { options } = sandbox;
	const { outcomes } = options.links;
	/** Requested by the server: no page of another site can read the demo's rows. */
	const ask = async (query: string) => await fetch(`${outcomes}/?${query}`);
	const isReady = async () =>
		outcomes === undefined ||
		(await ask('').then(
			({ ok }) => ok,
			() => false,
		));

	return async (app: FastifyInstance): Promise<void> => {
		app.addHook('onRequest', async (_request, reply) => {
			reply.header('content-security-policy', POLICY);
			reply.header('x-content-type-options', 'nosniff');
		});
		await app.register(fastifyStatic, { root: ASSETS, prefix: '/__page/' });
		app.get('/', async (_request, reply) => reply.sendFile('index.html'));
		app.get('/__page/overview.json', async () => ({
			info: { ...info(), timeZone: options.timeZone, ...MEANT_STATUSES },
			live: options.live ? options.liveInterval : null,
			language: options.language,
			links: options.links,
			ready: await isReady(),
			tables: pageTables(sandbox),
		}));
		app.post('/__page/happen', async (request) => {
			const asked = happening.safeParse(request.body);
			if (!asked.success) {
				throw invalid('what', 'Format', `is one of ${Object.keys(HAPPENINGS).join(', ')}`);
			}
			return HAPPENINGS[asked.data.what](sandbox);
		});
		const handOn = async (reply: FastifyReply, response: Response) =>
			reply
				.code(response.status)
				.type('application/json')
				.send(await response.text());
		app.post('/__page/arrivals', async (_request, reply) =>
			handOn(reply, await fetch(`${outcomes}/`, { method: 'POST' })),
		);
		app.get('/__page/outcome', async ({ query }, reply) => {
			const asked = String(new URLSearchParams(query as Record<string, string>));
			return await handOn(reply, await ask(asked));
		});
	};
}
