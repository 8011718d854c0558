import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { Child, run } from './children.ts';
import { freePort } from './ports.ts';

const HOST = '127.0.0.1';
const READY_MS = 60_000;
/** Where Debian puts the programs of a version. */
const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** PostgreSQL and Redis with data of their own, for one n8n in queue mode. */
export interface QueueServices {
	postgresPort: number;
	redisPort: number;
	/** Runs SQL. @returns a line for each row */
	query(sql: string): Promise<string[]>;
	/** Stops both and removes their data. */
	stop(): Promise<void>;
}

function find(program: string): string | undefined {
	const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS).sort().reverse() : [];
	const folders = [
		...versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin')),
		...(process.env.PATH ?? '').split(delimiter),
	];
	return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}

/** The programs of PostgreSQL and Redis that this machine lacks. */
export function missingServers(): string[] {
	return ['initdb', 'postgres', 'psql', 'redis-server'].filter((program) => find(program) === undefined);
}

/** Starts both from the programs of this machine. */
export async function startQueueServices(): Promise<QueueServices> {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-servers-'));
	const data = join(folder, 'data');
	const started: Child[] = [];
	const stop = async () => {
		for (const child of started) await child.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	// PostgreSQL refuses to run as root.
	const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'nobody', '--'] : [];
	chmodSync(folder, 0o777);
	const program = (name: string, ...args: string[]) => {
		const [command = '', ...all] = [...asUser, find(name) ?? name, ...args];
		return { name, command, args: all, cwd: folder, env: process.env };
	};
	const start = async (ready: RegExp, name: string, ...args: string[]) => {
		const child = new Child(program(name, ...args));
		started.push(child);
		await child.waitForLine(ready, READY_MS);
	};
	const [postgresPort, redisPort] = [await freePort(), await freePort()];
	try {
		await run(program('initdb', '-U', 'postgres', '-A', 'trust', '-D', data));
		const settings = ['-p', String(postgresPort), '-c', `listen_addresses=${HOST}`, '-k', folder];
		await start(/ready to accept connections/, 'postgres', '-D', data, ...settings);
		const memory = ['--save', '', '--appendonly', 'no', '--dir', folder];
		await start(/Ready to accept/i, 'redis-server', '--port', String(redisPort), '--bind', HOST, ...memory);
	} catch (error) {
		await stop();
		throw error;
	}
	const server = ['-h', HOST, '-p', String(postgresPort), '-U', 'postgres'];
	return {
		postgresPort,
		redisPort,
		query: async (sql) =>
			(await run(program('psql', ...server, '-At', '-c', sql))).split('\n').filter(Boolean),
		stop,
	};
}
