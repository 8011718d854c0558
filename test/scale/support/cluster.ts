import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import difference from 'lodash/difference';
import { Child, stopAll } from '../../../dev/children.ts';
import { environment, installPackage, moduleCommand, startN8n } from '../../../dev/n8n.ts';
import type { N8nClient } from '../../../dev/n8nClient.ts';
import { buildPackage } from '../../../dev/package.ts';
import { freePort } from '../../../dev/ports.ts';
import { OWNER } from '../../e2e/support/stack';
import { missingServers, startQueueServices } from './queueServices';

export const WORKERS = 2;
const READY_MS = 300_000;
const UNFINISHED = ['new', 'running'];

if (missingServers.length > 0) {
	process.stdout.write(`SKIPPED: test/scale: this machine has no ${missingServers.join(', ')}\n`);
}
/** Its tests are skipped where this machine lacks PostgreSQL or Redis. */
export const describeCluster = missingServers.length > 0 ? describe.skip : describe;

/** A process that runs the executions that the main has queued. */
interface Worker {
	name: string;
	child: Child;
	logFile: string;
}

/** n8n in queue mode: a main, workers, PostgreSQL and Redis, signed in; all of it goes when it is stopped. */
export interface Cluster {
	readonly client: N8nClient;
	readonly workers: Worker[];
	/** Ends a worker at once, as a crash of its machine would, and starts another one in its place. */
	replaceWorker(index: number): Promise<void>;
	/** How many executions each worker has begun, those that were killed included. */
	work(): number[];
	/** The executions of a workflow that are in the queue or running. */
	unfinishedExecutions(workflowId: string): Promise<string[]>;
	stop(): Promise<void>;
}

/** Builds and packs the package and starts it in queue mode. */
export async function startCluster(): Promise<Cluster> {
	const tarball = await buildPackage();
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-scale-'));
	const services = await startQueueServices();
	const env = { ...services.env, N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex') };
	const { client } = await startN8n({
		home: join(folder, 'main'),
		logFile: join(folder, 'main.log'),
		env,
		tarball,
	});
	await client.signIn(OWNER);
	const everyWorker: Worker[] = [];
	const startWorker = async (): Promise<Worker> => {
		const name = `worker-${everyWorker.length + 1}`;
		const home = join(folder, name);
		const logFile = join(folder, `${name}.log`);
		mkdirSync(home);
		installPackage(home, tarball);
		const options = { home, env: { ...env, QUEUE_HEALTH_CHECK_ACTIVE: 'false' } };
		const child = new Child({
			name,
			...moduleCommand('n8n/bin/n8n', ['worker', '--concurrency=5']),
			cwd: home,
			env: environment(options, 0, await freePort()),
			logFile,
		});
		await child.waitForLine(/worker is now ready/i, READY_MS);
		everyWorker.push({ name, child, logFile });
		return { name, child, logFile };
	};
	const workers: Worker[] = [];
	while (workers.length < WORKERS) workers.push(await startWorker());
	return {
		client,
		workers,
		async replaceWorker(index) {
			await workers[index]?.child.kill();
			workers[index] = await startWorker();
		},
		work: () => everyWorker.map((worker) => executionsOf(worker, 'started').length),
		async unfinishedExecutions(workflowId) {
			const all = await client.executions(workflowId, 100);
			return all.filter(({ status }) => UNFINISHED.includes(status)).map(({ id }) => id);
		},
		async stop() {
			await stopAll();
			await services.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** The executions that a worker has `started` or `finished`, from what it printed. */
function executionsOf({ logFile }: Worker, word: 'started' | 'finished'): string[] {
	const lines = readFileSync(logFile, 'utf8').matchAll(
		new RegExp(`Worker ${word} execution (\\d+) `, 'g'),
	);
	return [...lines].map(([, id]) => String(id));
}

/** @returns the executions that a worker has begun and not ended */
export function runningOn(worker: Worker): string[] {
	return difference(executionsOf(worker, 'started'), executionsOf(worker, 'finished'));
}
