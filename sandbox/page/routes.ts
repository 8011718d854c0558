import type { FastifyInstance } from 'fastify';
import type { Sandbox } from '../sandbox.ts';
import type { SandboxInfo } from '../server.ts';

/** The start page for people, and the contract as it is served here. */
export function pageRoutes(sandbox: Sandbox, info: () => SandboxInfo) {
	return async (app: FastifyInstance): Promise<void> => {
		app.get('/openapi.json', async () => ({ ...sandbox.contract, servers: [{ url: info().url }] }));
	};
}
