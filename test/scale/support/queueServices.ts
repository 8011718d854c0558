import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Child, run } from '../../../dev/children.ts';
import { freePort } from '../../../dev/ports.ts';

const HOST = '127.0.0.1';
const READY_MS = 60_000;
/** Where Debian puts the programs of a version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

function find(program: string): string | undefined {
	const versions = existsSync(POSTGRES_VERSIONS)
		? readdirSync(POSTGRES_VERSIONS).sort().reverse()
		: [];
	const folders = [
		...versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin')),
		...(process.env.PATH ?? '').split(delimiter),
	];
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** The programs of PostgreSQL and Redis that this machine lacks. */
export const missingServers = ['initdb', 'postgres', 'redis-server'].filter(
	(program) => find(program) === undefined,
);

/** Starts both from the programs of this machine, with data of their own, which goes with them. */
export async function startQueueServices() {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-servers-'));
	const data = join(folder, 'data');
	const started: Child[] = [];
	// PostgreSQL refuses to run as root.
	const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--'] : [];
	chmodSync(folder, 0o777);
	const program = (name: string, ...args: string[]) => {
		const words = [...asUser, find(name) ?? name, ...args];
		const command = words.shift() ?? '';
		return { name, command, args: words, cwd: folder, env: process.env };
	};
	const start = async (ready: RegExp, name: string, ...args: string[]) => {
		const child = new Child(program(name, ...args));
		started.push(child);
		await child.waitForLine(ready, READY_MS);
	};
	const postgresPort = await freePort();
	const redisPort = await freePort();
	await run(program('initdb', '-U', 'postgres', '-A', 'trust', '-D', data));
	const settings = ['-p', String(postgresPort), '-c', `listen_addresses=${HOST}`, '-k', folder];
	await start(/ready to accept connections/, 'postgres', '-D', data, ...settings);
	const memory = ['--save', '', '--appendonly', 'no', '--dir', folder];
	await start(
		/Ready to accept/i,
		'redis-server',
		'--port',
		String(redisPort),
		'--bind',
		HOST,
		...memory,
	);
	return {
		/** What tells n8n to run in queue mode with them. */
		env: {
			EXECUTIONS_MODE: 'queue',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: HOST,
			DB_POSTGRESDB_PORT: String(postgresPort),
			DB_POSTGRESDB_USER: 'postgres',
			DB_POSTGRESDB_DATABASE: 'postgres',
			QUEUE_BULL_REDIS_HOST: HOST,
			QUEUE_BULL_REDIS_PORT: String(redisPort),
		},
		stop: async () => {
			for (const child of started) await child.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
