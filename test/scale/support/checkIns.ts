import { NODE_UNDER_TEST, packageNode, webhookWorkflow } from '../../../harness/runner.ts';
import { eventually, PATIENT_MS } from '../../support/progress';
import type { Cluster } from './cluster';
import { credentialsAt } from '../../engine/support/server';
import type { CountingService } from './countingService';

/** A published workflow that checks in as many bookings as it is asked to. */
export interface CheckIns {
	/** Starts an execution over the bookings `first` … `first + count - 1`; returns before it has ended. */
	start(first: number, count: number): Promise<void>;
	/**
	 * Waits until no execution of the workflow is in the queue or running.
	 *
	 * @param interrupted executions not to wait for: n8n gives them up only minutes after their worker has died
	 */
	settle(interrupted?: ReadonlySet<string>): Promise<unknown>;
	/** How many items left the node in each execution, and how many of them on its error output. */
	outputs(): Promise<Array<{ id: string; answered: number; failed: number }>>;
	end(): Promise<unknown>;
}

/** Webhook → one item per booking → Check In, with the number of the execution as cashier. */
export async function publishCheckIns(cluster: Cluster, service: CountingService): Promise<CheckIns> {
	const { client } = cluster;
	const { hospitalityBookingApi: data } = credentialsAt(service.url);
	const credential = await client.createCredential(`Service ${service.url}`, 'hospitalityBookingApi', data);
	const parameters = {
		resource: 'checkoutBooking',
		operation: 'checkIn',
		bookingRootId: '={{ $json.bookingRootId }}',
		additionalFields: { cashierName: '={{ $execution.id }}' },
	};
	const node = packageNode('hospitalityBooking', parameters, credential, { onError: 'continueErrorOutput' });
	const path = `check-in-${new URL(service.url).port}`;
	const workflow = await client.activate(
		await client.createWorkflow(webhookWorkflow(path, node, {}, 'onReceived')),
	);
	return {
		async start(first, count) {
			const items = Array.from({ length: count }, (_, index) => ({ bookingRootId: first + index }));
			const { status } = await client.callWebhook(path, { items });
			if (status !== 200) throw new Error(`The webhook answered ${status}.`);
		},
		settle: (interrupted = new Set()) =>
			eventually(
				'all executions have ended',
				async () => {
					const unfinished = await cluster.unfinishedExecutions(workflow.id);
					return unfinished.every((id) => interrupted.has(id));
				},
				PATIENT_MS,
			),
		async outputs() {
			const executions = await client.executions(workflow.id, 100);
			return await Promise.all(
				executions.map(async ({ id }) => {
					const { runs } = await client.execution(id);
					const [done, failed] = runs[NODE_UNDER_TEST]?.[0]?.data?.main ?? [];
					const failures = failed?.length ?? 0;
					return { id, answered: (done?.length ?? 0) + failures, failed: failures };
				}),
			);
		},
		end: () => client.deactivate(workflow),
	};
}
