import type {
	N8nClient,
	StoredCredential,
	StoredWorkflow,
	WorkflowNode,
} from '../../../harness/n8nClient.ts';
import { NODE_UNDER_TEST, packageNode, webhookWorkflow } from '../../../harness/runner.ts';
import type { Cluster } from './cluster';
import type { Act, CountingService } from './countingService';
import { SERVICE_ACCOUNT } from './countingService';
import { until } from '../../support/progress';

/** A published workflow that checks in as many bookings as it is asked to. */
export interface CheckIns {
	workflow: StoredWorkflow;
	/** Starts an execution over the bookings `first` … `first + count - 1`; returns before it has ended. */
	start(first: number, count: number): Promise<void>;
	/**
	 * Waits until no execution of the workflow is in the queue or running.
	 *
	 * @param interrupted executions not to wait for: n8n gives them up only minutes after their worker has died
	 */
	settle(interrupted?: ReadonlySet<string>): Promise<void>;
	end(): Promise<unknown>;
}

/** Webhook → one item per booking → Check In, with the number of the execution as cashier. */
export async function publishCheckIns(cluster: Cluster, service: CountingService): Promise<CheckIns> {
	const { client } = cluster.main;
	const credential = await client.createCredential(`Service ${service.url}`, 'hospitalityBookingApi', {
		baseUrl: service.url,
		authUrl: service.url,
		timeZone: 'UTC',
		...SERVICE_ACCOUNT,
	});
	const path = `check-in-${new URL(service.url).port}`;
	const workflow = await client.activate(
		await client.createWorkflow(webhookWorkflow(path, checkIn(credential), {}, 'onReceived')),
	);
	return {
		workflow,
		async start(first, count) {
			const ids = Array.from({ length: count }, (_, index) => ({ bookingRootId: first + index }));
			await callWebhook(client, path, { items: ids });
		},
		settle: (interrupted = new Set()) =>
			until('all executions have ended', async () => {
				const left = await cluster.services.query(
					`SELECT id FROM execution_entity WHERE "workflowId" = $1 AND status IN ('new', 'running')`,
					[workflow.id],
				);
				return left.every(({ id }) => interrupted.has(String(id)));
			}),
		end: () => client.deactivate(workflow),
	};
}

async function callWebhook(client: N8nClient, path: string, body: unknown): Promise<void> {
	const { status } = await client.callWebhook(path, body);
	if (status !== 200) throw new Error(`The webhook answered ${status}.`);
}

function checkIn(credential: StoredCredential): WorkflowNode {
	const parameters = {
		resource: 'checkoutBooking',
		operation: 'checkIn',
		bookingRootId: '={{ $json.bookingRootId }}',
		additionalFields: { cashierName: '={{ $execution.id }}' },
	};
	return packageNode('hospitalityBooking', parameters, credential, { onError: 'continueErrorOutput' });
}

/** How often each booking was checked in, by the moment of a kill. */
export interface Repetitions {
	/** Bookings checked in more than once by executions that were not interrupted. */
	byARetryOfOurs: number[];
	/** Bookings checked in again by an interrupted execution: n8n ran it again. */
	byN8n: number[];
}

/** @param interrupted the executions whose worker was killed */
export function repetitionsIn(acts: readonly Act[], interrupted: ReadonlySet<string>): Repetitions {
	const byBooking = new Map<number, Act[]>();
	for (const act of acts)
		byBooking.set(act.bookingRootId, [...(byBooking.get(act.bookingRootId) ?? []), act]);
	const repeated = [...byBooking].filter(([, own]) => own.length > 1);
	const wasInterrupted = ([, own]: [number, Act[]]) =>
		own.some(({ execution }) => interrupted.has(execution));
	return {
		byARetryOfOurs: repeated.filter((one) => !wasInterrupted(one)).map(([id]) => id),
		byN8n: repeated.filter(wasInterrupted).map(([id]) => id),
	};
}

/** @returns by execution how many items left the node, on either output; undefined where it was not stored */
export async function answeredItems(
	cluster: Cluster,
	{ id: workflowId }: StoredWorkflow,
): Promise<Map<string, { status: string; answered: number; failed: number }>> {
	const { client } = cluster.main;
	const rows = await cluster.services.query(
		`SELECT id, status FROM execution_entity WHERE "workflowId" = $1 ORDER BY id`,
		[workflowId],
	);
	const answered = new Map<string, { status: string; answered: number; failed: number }>();
	for (const { id, status } of rows) {
		const { runs } = await client.execution(String(id));
		const [done = [], failed = []] = runs[NODE_UNDER_TEST]?.[0]?.data?.main ?? [];
		answered.set(String(id), {
			status: String(status),
			answered: (done ?? []).length + (failed ?? []).length,
			failed: (failed ?? []).length,
		});
	}
	return answered;
}
