import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import difference from 'lodash/difference';
import type { N8nClient } from '../../../dev/n8nClient.ts';
import { buildPackage } from '../../../dev/package.ts';
import { type QueueMode, type Worker, startQueueMode } from '../../../dev/queueMode.ts';
import { missingServers, startQueueServices } from '../../../dev/queueServices.ts';
import { OWNER } from '../../e2e/support/stack';

export const WORKERS = 2;

const missing = missingServers();
if (missing.length > 0)
	process.stdout.write(`SKIPPED: test/scale: this machine has no ${missing.join(', ')}\n`);
/** Its tests are skipped where this machine lacks PostgreSQL or Redis. */
export const describeCluster = missing.length > 0 ? describe.skip : describe;

/** n8n in queue mode with a database and folder of its own, signed in; all of it goes when it is stopped. */
export interface Cluster extends Omit<QueueMode, 'main'> {
	readonly client: N8nClient;
	/** The executions of a workflow that are in the queue or running. */
	unfinishedExecutions(workflowId: string): Promise<string[]>;
}

/** Builds and packs the package and starts it in queue mode. */
export async function startCluster(workers: number, env: Record<string, string> = {}): Promise<Cluster> {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-scale-'));
	const services = await startQueueServices();
	const removeAll = async () => {
		await services.stop();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		const mode = await startQueueMode({ folder, tarball: await buildPackage(), services, workers, env });
		const signIn = () => mode.main.client.signIn(OWNER);
		await signIn();
		return {
			...mode,
			get client() {
				return mode.main.client;
			},
			async restartMain() {
				await mode.restartMain();
				await signIn();
			},
			async unfinishedExecutions(workflowId) {
				return await services.query(
					`SELECT id FROM execution_entity WHERE "workflowId" = '${workflowId}' AND status IN ('new', 'running')`,
				);
			},
			async stop() {
				await mode.stop();
				await removeAll();
			},
		};
	} catch (error) {
		await removeAll();
		throw error;
	}
}

/** The executions that a worker has `started` or `finished`, from what it printed. */
function executionsOf({ logFile }: Worker, word: 'started' | 'finished'): string[] {
	const lines = readFileSync(logFile, 'utf8').matchAll(new RegExp(`Worker ${word} execution (\\d+) `, 'g'));
	return [...lines].map(([, id]) => String(id));
}

/** @returns the executions that a worker has begun and not ended */
export function runningOn(worker: Worker): string[] {
	return difference(executionsOf(worker, 'started'), executionsOf(worker, 'finished'));
}

/** @returns how many executions each worker has begun, those that were killed included */
export function workByWorker({ everyWorker }: Cluster): Record<string, number> {
	return Object.fromEntries(
		everyWorker.map((worker) => [worker.name, executionsOf(worker, 'started').length]),
	);
}
