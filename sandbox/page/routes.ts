import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import getAbsoluteFSPath from 'swagger-ui-dist/absolute-path.js';
import { z } from 'zod';
import type { ContractDocument } from '../../contract/contract.ts';
import { articleView } from '../routes/article.ts';
import { BOOKING_STATUS } from '../state/codes.ts';
import { PAY_PREFIX } from '../http/operations.ts';
import { HAPPENINGS } from '../live.ts';
import { invalid } from '../http/serviceError.ts';
import type { Sandbox } from '../sandbox.ts';
import type { SandboxInfo } from '../info.ts';

const SHOWN = 100;
const ASSETS = fileURLToPath(new URL('assets', import.meta.url));

const relayed = z.object({
	method: z.enum(['GET', 'PUT', 'POST']),
	path: z
		.string()
		.startsWith('/')
		.transform((path) => new URL(`http://sandbox${path}`))
		.refine(({ pathname }) => pathname.startsWith(`${PAY_PREFIX}/`)),
	authorization: z.string().optional(),
	body: z.string().optional(),
});

const happening = z.object({
	what: z.enum(Object.keys(HAPPENINGS) as [keyof typeof HAPPENINGS, ...Array<keyof typeof HAPPENINGS>]),
});

/** The newest of many records, by a number. */
function newest<T>(records: Iterable<T>, stamp: (record: T) => number): T[] {
	return [...records].sort((a, b) => stamp(b) - stamp(a)).slice(0, SHOWN);
}

/** Introduction of the reference, for readers in a browser. */
const INTRODUCTION =
	'Every operation of the booking, payment and article services. Open one and press _Execute_ to see what this sandbox responds.';

/** The contract with the sandbox's own addresses and values to try it with. */
function servedContract(contract: ContractDocument, info: SandboxInfo): unknown {
	const served = structuredClone(contract);
	served.info = Object.assign({}, served.info, { description: INTRODUCTION });
	served.servers = [{ url: info.baseUrl }];
	for (const item of Object.values(served.paths)) {
		if (item.servers)
			item.servers = [{ url: item.servers[0]?.url === '{pay_url}' ? info.payUrl : info.authUrl }];
	}
	const examples: Record<string, string> = {
		System: info.system,
		Location: `${info.payUrl}/v1/subscriptions/`,
		Date: 'set when sent',
		Digest: 'SHA-256=set-when-sent',
	};
	for (const [name, parameter] of Object.entries(served.components.parameters)) {
		Object.assign(parameter, { example: examples[name] });
	}
	served.components.securitySchemes = {
		bearer: { type: 'http', scheme: 'bearer', description: 'A token is fetched for you when none is set.' },
		paymentToken: {
			type: 'http',
			scheme: 'bearer',
			description: 'The AuthenticationToken, when you want to send it.',
		},
	};
	return served;
}

function overview({ mainState: state, log, options }: Sandbox, info: SandboxInfo) {
	const changed = (stamp: string | null) => Date.parse(stamp ?? '') || 0;
	const days = new Map<string, number>();
	for (const { web } of state.bookings.all()) {
		const day = web.start.slice(0, 10);
		days.set(day, (days.get(day) ?? 0) + 1);
	}
	return {
		info,
		live: options.live ? options.liveInterval : null,
		links: options.links,
		counts: Object.fromEntries(Object.entries(state.collections()).map(([name, { size }]) => [name, size])),
		days: Object.fromEntries(days),
		bookings: newest(state.bookings.all(), ({ web }) => changed(web.changeDate)).map(
			({ web, rootId, alias }) => ({
				guid: web.guid,
				number: web.globalBookingNumber,
				rootId,
				alias,
				guest: `${web.contact.fname} ${web.contact.lname}`,
				company: web.customer?.name ?? null,
				guests: web.guests,
				start: web.start,
				status: web.history?.at(-1)?.statusName ?? String(web.status),
				canceled: web.status === BOOKING_STATUS.canceled,
				message: web.message,
				changed: web.changeDate,
			}),
		),
		customers: newest(state.customers.all(), ({ lastChangedUtc }) => changed(lastChangedUtc)),
		surveys: [...state.surveys.all()],
		recipients: [...state.recipients.all()].slice(-SHOWN),
		articles: [...state.articles.all()].slice(0, SHOWN).map((article) => articleView(state, article)),
		requests: log.list(SHOWN).reverse(),
	};
}

/** The start page for people at `/`, the API reference with its try-out form at `/reference`, and what they read. */
export function pageRoutes(sandbox: Sandbox, info: () => SandboxInfo) {
	return async (app: FastifyInstance): Promise<void> => {
		await app.register(fastifyStatic, { root: ASSETS, prefix: '/__page/' });
		await app.register(fastifyStatic, {
			root: getAbsoluteFSPath(),
			prefix: '/__page/swagger/',
			decorateReply: false,
		});
		app.get('/', async (_request, reply) => reply.sendFile('index.html'));
		app.get('/reference', async (_request, reply) => reply.sendFile('reference.html'));
		app.get('/openapi.json', async () => servedContract(sandbox.contract, info()));
		app.get('/__page/overview.json', async () => overview(sandbox, info()));
		app.post('/__page/happen', async (request) => {
			const asked = happening.safeParse(request.body);
			if (!asked.success) throw invalid('what', 'Format', `is one of ${Object.keys(HAPPENINGS).join(', ')}`);
			return HAPPENINGS[asked.data.what](sandbox);
		});
		// Requested by the server: no page of another site can read the demo's rows.
		const { outcomes } = sandbox.options.links;
		if (outcomes)
			app.get('/__page/outcome', async ({ query }, reply) => {
				const asked = new URLSearchParams(query as Record<string, string>);
				const answer = await fetch(`${outcomes}/?${asked}`);
				return reply
					.code(answer.status)
					.type('application/json')
					.send(await answer.text());
			});
		// A browser sends neither a body with GET nor a Date header; the payment service wants both.
		app.post('/__page/relay', async (request, reply) => {
			const call = relayed.safeParse(request.body);
			if (!call.success) throw invalid('body', 'Format', 'must be a call of the payment service');
			const { method, path, body, authorization } = call.data;
			const digest = createHash('sha256')
				.update(body ?? '')
				.digest('base64');
			const answer = await app.inject({
				method,
				url: path.pathname + path.search,
				headers: {
					...(body === undefined ? {} : { 'content-type': 'application/json' }),
					...(authorization === undefined ? {} : { authorization }),
					date: new Date().toUTCString(),
					digest: `SHA-256=${digest}`,
				},
				payload: body,
			});
			return reply
				.code(answer.statusCode)
				.type(String(answer.headers['content-type'] ?? 'text/plain'))
				.send(answer.payload);
		});
	};
}
