import type { WorkflowNode } from '../../dev/n8nClient.ts';
import { NODE_UNDER_TEST, outputOf, publishRunner, type Runner } from '../../dev/runner.ts';
import type { Bench } from '../bench.ts';
import { createJobs, type Job } from './jobs.ts';
import { type Behavior, type InstantService, startInstantService } from './service.ts';

/** What a node did in one run. */
export type Measured = Awaited<ReturnType<typeof measure>>;

/** Starts a service with the jobs on it, and ends it after its use. */
export async function withService<T>(
	bench: Bench,
	behavior: Behavior,
	use: (service: InstantService, jobs: [Job, ...Job[]]) => Promise<T>,
): Promise<T> {
	const service = await startInstantService(bench.sandbox, behavior);
	try {
		return await use(service, await createJobs(bench, service.url));
	} finally {
		await service.close();
	}
}

/** Publishes a node in a workflow of its own and runs it once over some items: {@link measure}. */
export async function measureOnce(
	bench: Bench,
	service: InstantService,
	node: WorkflowNode,
	items: readonly unknown[],
	onStored?: () => void,
): Promise<Measured> {
	const runner = await publishRunner(bench.n8n.client, node);
	const measured = await measure(bench, service, runner, items, onStored);
	await runner.end();
	return measured;
}

/**
 * Runs a published node over some items.
 *
 * @param onStored is called before the execution is read: for that n8n takes more memory than in the run
 * @throws when the execution fails
 */
export async function measure(
	{ n8n }: Bench,
	service: InstantService,
	runner: Runner,
	items: readonly unknown[],
	onStored?: () => void,
) {
	service.take();
	const id = await runner.runUnread([...items]);
	onStored?.();
	const execution = await n8n.client.execution(id);
	const run = execution.runs[NODE_UNDER_TEST]?.[0];
	if (execution.status !== 'success' || !run)
		throw new Error(execution.error?.message ?? `The execution ended as ${execution.status}.`);
	const output = outputOf(execution).map(({ json }) => json);
	return { seconds: run.executionTime / 1000, output, ...service.take() };
}
