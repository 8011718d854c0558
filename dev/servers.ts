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
	/** Stops servers that were started for the tests; others keep running. */
	stop(): Promise<void>;
}

/** Thrown if the servers are missing and cannot be installed; the message names what is missing. */
export class NoServersError extends Error {
	override name = 'NoServersError';
}

/** Where to look on this machine: the usual places, unless a test says otherwise. */
export interface Places {
	postgresPort: number;
	redisPort: number;
	/** Pattern of the folders with PostgreSQL's programs. */
	postgresPrograms: string;
	redisServer: string;
}

const USUAL: Places = {
	postgresPort: 5432,
	redisPort: 6379,
	postgresPrograms: '/usr/lib/postgresql/*/bin',
	redisServer: '/usr/bin/redis-server',
};

const isRoot = () => process.getuid?.() === 0;

/**
 * Finds PostgreSQL and Redis on their usual ports. If one does not run, it is started on a free port with temporary data; if
 * it is missing, root installs it from Debian's packages first.
 *
 * @throws NoServersError if a plain user cannot install one of them; nothing that was started is left behind
 */
export async function ensureServers(places = USUAL): Promise<Servers> {
	const postgres = (await letsPostgresIn(places.postgresPort))
		? { port: places.postgresPort, stop: async () => undefined }
		: await start('PostgreSQL', () => startPostgres(places));
	try {
		const redis = (await isTaken(places.redisPort))
			? { port: places.redisPort, stop: async () => undefined }
			: await start('Redis', () => startRedis(places));
		return {
			postgresPort: postgres.port,
			redisPort: redis.port,
			async stop() {
				await redis.stop();
				await postgres.stop();
			},
		};
	} catch (error) {
		await postgres.stop();
		throw error;
	}
}

interface StartedServer {
	port: number;
	stop(): Promise<unknown>;
}

/** For root a failed start is an error; a plain user skips the tests. */
async function start(what: string, starting: () => Promise<StartedServer>): Promise<StartedServer> {
	try {
		return await starting();
	} catch (error) {
		if (isRoot() || error instanceof NoServersError) throw error;
		throw new NoServersError(`${what} could not be started by a plain user: ${(error as Error).message}`);
	}
}

async function startPostgres({ postgresPrograms }: Places): Promise<StartedServer> {
	const programs = () => globSync(postgresPrograms).sort().at(-1);
	if (!programs())
		await install('postgresql', 'PostgreSQL (127.0.0.1:5432, user postgres without a password)');
	const bin = programs() ?? '';
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-postgres-'));
	const data = join(folder, 'data');
	let child: Child | undefined;
	const stop = async () => {
		await child?.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	// PostgreSQL refuses to run as root.
	const command = (name: string, args: string[]) =>
		isRoot()
			? { name, command: 'runuser', args: ['-u', 'postgres', '--', join(bin, name), ...args], cwd: folder }
			: { name, command: join(bin, name), args, cwd: folder };
	try {
		if (isRoot()) await run({ name: 'chown', command: 'chown', args: ['postgres', folder] });
		await run(command('initdb', ['-U', 'postgres', '-A', 'trust', '-D', data]));
		const port = await freePort();
		const settings = ['-p', String(port), '-c', `listen_addresses=${HOST}`, '-k', folder];
		child = new Child(command('postgres', ['-D', data, ...settings]));
		await child.waitForLine(/ready to accept connections/, READY_MS);
		return { port, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function startRedis({ redisServer }: Places): Promise<StartedServer> {
	if (!existsSync(redisServer)) await install('redis-server', `Redis (${HOST}:6379)`);
	const port = await freePort();
	const child = new Child({
		name: 'Redis',
		command: redisServer,
		args: ['--port', String(port), '--bind', HOST, '--save', '', '--appendonly', 'no', '--dir', tmpdir()],
	});
	try {
		await child.waitForLine(/Ready to accept connections/i, READY_MS);
	} catch (error) {
		await child.stop();
		throw error;
	}
	return { port, stop: () => child.stop() };
}

async function install(debianPackage: string, what: string): Promise<void> {
	if (!isRoot() || !existsSync('/usr/bin/apt-get')) {
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
