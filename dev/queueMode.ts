import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { Child } from './children.ts';
import { type N8n, environment, installPackage, moduleCommand, startN8n } from './n8n.ts';
import { freePort } from './ports.ts';
import type { QueueServices } from './queueServices.ts';

const READY_MS = 300_000;

export interface QueueModeOptions {
	/** Folder that holds the homes and logs of all processes. */
	folder: string;
	/** The packed package, installed on each process. */
	tarball: string;
	services: QueueServices;
	workers: number;
	/** Executions that a worker runs concurrently. */
	concurrency?: number;
	/** More environment variables for all processes. */
	env?: Record<string, string>;
}

/** A process that runs the executions that the main has queued. */
export interface Worker {
	name: string;
	child: Child;
	logFile: string;
}

/** n8n in queue mode: a main, workers, PostgreSQL and Redis. */
export interface QueueMode {
	main: N8n;
	workers: Worker[];
	/** Ends the main at once and starts it again at the same address; sign in again afterwards. */
	restartMain(): Promise<void>;
	/** Ends a worker at once, as a crash of its machine would, and starts another one in its place. */
	replaceWorker(index: number): Promise<void>;
	/** All workers that ever ran, including killed ones. */
	everyWorker: readonly Worker[];
	stop(): Promise<void>;
}

/** Starts the main, then the workers, and returns when all are ready. */
export async function startQueueMode(options: QueueModeOptions): Promise<QueueMode> {
	const { folder, tarball, services } = options;
	const env = { ...queueEnvironment(services), ...options.env };
	const mainOptions = { home: join(folder, 'main'), logFile: join(folder, 'main.log'), env };
	mkdirSync(folder, { recursive: true });
	let main = await startN8n({ ...mainOptions, tarball });
	const everyWorker: Worker[] = [];
	const startWorker = async () => {
		const worker = await startOneWorker(options, env, everyWorker.length + 1);
		everyWorker.push(worker);
		return worker;
	};
	const workers: Worker[] = [];
	for (let index = 0; index < options.workers; index++) workers.push(await startWorker());
	return {
		get main() {
			return main;
		},
		workers,
		everyWorker,
		async restartMain() {
			const port = Number(new URL(main.url).port);
			await main.child.kill();
			main = await startN8n({ ...mainOptions, port });
		},
		async replaceWorker(index) {
			await workers[index]?.child.kill();
			workers[index] = await startWorker();
		},
		async stop() {
			for (const { child } of workers) await child.stop();
			await main.stop();
		},
	};
}

function queueEnvironment({ postgresPort, redisPort }: QueueServices): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_USER: 'postgres',
		DB_POSTGRESDB_DATABASE: 'postgres',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
	};
}

async function startOneWorker(
	{ folder, tarball, concurrency = 5 }: QueueModeOptions,
	env: Record<string, string>,
	number: number,
): Promise<Worker> {
	const name = `worker ${number}`;
	const home = join(folder, `worker-${number}`);
	const logFile = join(folder, `worker-${number}.log`);
	mkdirSync(home, { recursive: true });
	await installPackage(home, tarball);
	const child = new Child({
		name,
		...moduleCommand('n8n/bin/n8n', ['worker', `--concurrency=${concurrency}`]),
		cwd: home,
		env: environment({ home, env: { ...env, QUEUE_HEALTH_CHECK_ACTIVE: 'false' } }, 0, await freePort()),
		logFile,
	});
	await child.waitForLine(/worker is now ready/i, READY_MS);
	return { name, child, logFile };
}
