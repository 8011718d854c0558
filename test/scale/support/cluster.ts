import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import difference from 'lodash/difference';
import type { N8nClient } from '../../../dev/n8nClient.ts';
import { buildPackage } from '../../../dev/package.ts';
import { type QueueMode, type Worker, startQueueMode } from '../../../dev/queueMode.ts';
import { createQueueServices } from '../../../dev/queueServices.ts';
import { OWNER } from '../../e2e/support/stack';

/** n8n in queue mode with a database, keys and folder of its own, signed in; all of it goes when it is stopped. */
export interface Cluster extends Omit<QueueMode, 'main'> {
	readonly client: N8nClient;
	/** The executions of a workflow that are in the queue or running. */
	unfinishedExecutions(workflowId: string): Promise<string[]>;
}

/** Builds and packs the package and starts it in queue mode. */
export async function startCluster(workers: number, env: Record<string, string> = {}): Promise<Cluster> {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-scale-'));
	const services = await createQueueServices({
		postgresPort: Number(process.env.SCALE_POSTGRES_PORT ?? 5432),
		redisPort: Number(process.env.SCALE_REDIS_PORT ?? 6379),
	});
	const removeAll = async () => {
		await services.remove();
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
				const rows = await services.query(
					`SELECT id FROM execution_entity WHERE "workflowId" = $1 AND status IN ('new', 'running')`,
					[workflowId],
				);
				return rows.map(({ id }) => String(id));
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
