import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Child, run } from './children.ts';
import { freePort, isTaken } from './ports.ts';

const HOST = '127.0.0.1';
const READY_MS = 60_000;

/** Where n8n's queue mode finds its database and its queue: on this machine, without passwords. */
export interface Servers {
	postgresPort: number;
	redisPort: number;
	/** Stops what was started for us; servers that ran before go on. */
	stop(): Promise<void>;
}

/** Thrown where the servers are missing and cannot be installed; the message says what is missing. */
export class NoServersError extends Error {
	override name = 'NoServersError';
}

/**
 * Finds PostgreSQL and Redis on their usual ports. One that is missing is installed from Debian's packages, where we may,
 * and started on a free port with data of its own that is removed afterwards.
 *
 * @throws NoServersError
 */
export async function ensureServers(): Promise<Servers> {
	const postgres = (await letsPostgresIn(5432))
		? { port: 5432, stop: async () => undefined }
		: await startPostgres();
	const redis = (await isTaken(6379)) ? { port: 6379, stop: async () => undefined } : await startRedis();
	return {
		postgresPort: postgres.port,
		redisPort: redis.port,
		async stop() {
			await redis.stop();
			await postgres.stop();
		},
	};
}

interface StartedServer {
	port: number;
	stop(): Promise<unknown>;
}

async function startPostgres(): Promise<StartedServer> {
	const initdb = () => globSync('/usr/lib/postgresql/*/bin/initdb').sort().at(-1);
	if (!initdb()) await install('postgresql', 'PostgreSQL (127.0.0.1:5432, user postgres without a password)');
	const bin = join(initdb() ?? '', '..');
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-postgres-'));
	await run({ name: 'chown', command: 'chown', args: ['postgres', folder] });
	const asPostgres = (name: string, command: string, args: string[]) => ({
		name,
		command: 'runuser',
		args: ['-u', 'postgres', '--', join(bin, command), ...args],
		cwd: folder,
	});
	await run(asPostgres('initdb', 'initdb', ['-A', 'trust', '-D', join(folder, 'data')]));
	const port = await freePort();
	const settings = ['-p', String(port), '-c', `listen_addresses=${HOST}`, '-k', folder];
	const child = new Child(asPostgres('PostgreSQL', 'postgres', ['-D', join(folder, 'data'), ...settings]));
	await child.waitForLine(/ready to accept connections/, READY_MS);
	return {
		port,
		async stop() {
			await child.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

async function startRedis(): Promise<StartedServer> {
	if (!existsSync('/usr/bin/redis-server')) await install('redis-server', `Redis (${HOST}:6379)`);
	const port = await freePort();
	const child = new Child({
		name: 'Redis',
		command: '/usr/bin/redis-server',
		args: ['--port', String(port), '--bind', HOST, '--save', '', '--appendonly', 'no', '--dir', tmpdir()],
	});
	await child.waitForLine(/Ready to accept connections/i, READY_MS);
	return { port, stop: () => child.stop() };
}

async function install(debianPackage: string, what: string): Promise<void> {
	if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
		throw new NoServersError(`${what} is missing, and only root can install it, on Debian`);
	}
	const apt = (args: string[]) => ({
		name: `apt-get ${args[0] ?? ''}`,
		command: 'apt-get',
		args,
		env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
	});
	await run(apt(['update', '-qq']));
	await run(apt(['install', '-y', '-qq', '--no-install-recommends', debianPackage]));
}

async function letsPostgresIn(port: number): Promise<boolean> {
	const client = new Client({ host: HOST, port, user: 'postgres', database: 'postgres' });
	try {
		await client.connect();
		await client.end();
		return true;
	} catch {
		return false;
	}
}
