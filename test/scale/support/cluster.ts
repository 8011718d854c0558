import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPackage } from '../../../harness/package.ts';
import { type QueueMode, type Worker, startQueueMode } from '../../../harness/queueMode.ts';
import { type QueueServices, createQueueServices } from '../../../harness/queueServices.ts';
import { OWNER } from '../../e2e/support/stack';

/** n8n in queue mode with a database, keys and folder of its own, signed in. */
export interface Cluster extends QueueMode {
	services: QueueServices;
	/** Signs in again, for a main that was started again. */
	signIn(): Promise<void>;
	remove(): Promise<void>;
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
		const cluster: Cluster = {
			...mode,
			get main() {
				return mode.main;
			},
			services,
			signIn: () => mode.main.client.signIn(OWNER),
			async remove() {
				await mode.stop();
				await removeAll();
			},
		};
		await cluster.signIn();
		return cluster;
	} catch (error) {
		await removeAll();
		throw error;
	}
}

/** The executions that a worker has begun and ended, from what it printed. */
function executionsOf({ logFile }: Worker): { begun: string[]; ended: string[] } {
	const log = readFileSync(logFile, 'utf8');
	const numbers = (word: string) =>
		[...log.matchAll(new RegExp(`Worker ${word} execution (\\d+) `, 'g'))].map(([, id]) => String(id));
	return { begun: numbers('started'), ended: numbers('finished') };
}

/** @returns the executions that a worker has begun and not ended */
export function runningOn(worker: Worker): string[] {
	const { begun, ended } = executionsOf(worker);
	return begun.filter((id) => !ended.includes(id));
}

/** @returns how many executions each worker has begun, those that were killed included */
export function workByWorker({ everyWorker }: QueueMode): Record<string, number> {
	return Object.fromEntries(everyWorker.map((worker) => [worker.name, executionsOf(worker).begun.length]));
}
