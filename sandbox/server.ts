import type { FastifyInstance } from 'fastify';
import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';
import { type FaultRule, preferredFault } from './control/faults.ts';
import { happen, happenInstead } from './control/happen.ts';
import { controlRoutes } from './control/routes.ts';
import { foreignHeader } from './http/foreign.ts';
import { PAY_PREFIX, serveOperations } from './http/operations.ts';
import { sendError } from './http/problems.ts';
import { notFound } from './http/serviceError.ts';
import { ACCOUNT, type SandboxInfo } from './info.ts';
import type { SandboxOptions } from './options.ts';
import { pageRoutes } from './page/routes.ts';
import type { Sandbox } from './sandbox.ts';
import { createSandbox } from './sandbox.ts';
import { keepState } from './state/dataFile.ts';
import { startLive } from './live.ts';
import { TokenIssuer } from './token.ts';

const BODY_LIMIT = 16 * 1024 * 1024;
const SERVICE_PATHS = ['/api/', '/connect/', `${PAY_PREFIX}/`];

/** A sandbox that listens. */
export interface RunningSandbox {
	info: SandboxInfo;
	/** Ends connections, saves the state if asked to, and stops. */
	stop: () => Promise<void>;
}

function isServicePath(url: string): boolean {
	return SERVICE_PATHS.some((path) => url.startsWith(path));
}

/** Reads JSON bodies, keeping the bytes for the Digest; GET may have one as well. */
function readBodies(app: FastifyInstance, sandbox: Sandbox): void {
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		['application/json', 'application/*+json'],
		{ parseAs: 'buffer' },
		(request, bytes: Buffer, done) => {
			request.rawBody = bytes;
			if (bytes.length === 0) return done(null, undefined);
			void parseJson(request, bytes.toString('utf8'), (error, body) => {
				sandbox.log.body(request.raw, error ? bytes.toString('utf8') : body);
				done(error, body);
			});
		},
	);
}

/** Logs every request to the service and applies the faults that were set. */
function watch(app: FastifyInstance, { log, faults }: Sandbox): void {
	app.addHook('onRequest', async (request, reply) => {
		if (isServicePath(request.url)) {
			log.begin(request.raw, reply.raw, structuredClone(request.query) as Record<string, string>);
		}
	});
	app.addHook('preValidation', async (request, reply) => {
		if (!isServicePath(request.url)) return;
		const preferred = preferredFault(request.headers.prefer);
		const rule: FaultRule | undefined = preferred
			? { fault: preferred }
			: faults.meet(request.method, request.url);
		if (!rule) return;
		if (rule.after) return happenInstead(rule.fault, reply.raw);
		if (rule.fault.kind !== 'delay') reply.hijack();
		await happen(rule.fault, reply.raw);
	});
}

function serveTokens(app: FastifyInstance, { tokens }: Sandbox): void {
	void app.register(async (scope) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
		scope.post('/connect/token', async (request, reply) => {
			reply.hijack();
			await tokens().answer(request.raw, reply.raw);
		});
	});
}

function describe(url: string, options: SandboxOptions): SandboxInfo {
	return {
		url,
		baseUrl: url,
		authUrl: url,
		payUrl: url + PAY_PREFIX,
		...ACCOUNT,
		...(options.control ? { controlUrl: `${url}/__control` } : {}),
	};
}

/** Starts a sandbox on 127.0.0.1. Throws when the port is taken or the data file cannot be read. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
	const sandbox = createSandbox(options);
	const saving = options.data === undefined ? undefined : keepState(sandbox, options.data);
	const app = fastify({
		bodyLimit: BODY_LIMIT,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		frameworkErrors: sendError,
		routerOptions: { maxParamLength: 1000 },
	});
	app.setErrorHandler(sendError);
	app.setNotFoundHandler((request) => {
		throw notFound(`${request.method} ${request.url.split('?')[0]}`);
	});
	app.addHook('onRequest', async ({ headers }, reply) => {
		const foreign = foreignHeader(headers);
		if (foreign !== undefined) {
			await reply.code(403).send(`Pages of other sites are refused (${foreign})`);
		}
	});
	watch(app, sandbox);
	readBodies(app, sandbox);
	serveOperations(app, sandbox);
	serveTokens(app, sandbox);
	if (options.control) await app.register(controlRoutes(sandbox), { prefix: '/__control' });
	await app.register(pageRoutes(sandbox, () => info));
	await app.listen({ port: options.port, host: '127.0.0.1' });
	const info = describe(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`, options);
	sandbox.useTokens(new TokenIssuer(info.url, (request, form) => sandbox.log.body(request, form)));
	const live = options.live ? startLive(sandbox, options.liveInterval) : undefined;
	return {
		info,
		stop: async () => {
			live?.stop();
			await app.close();
			await saving?.stop();
		},
	};
}
