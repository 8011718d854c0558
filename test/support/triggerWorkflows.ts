import type { JsonObject, StoredCredential, Workflow, WorkflowNode } from '../../harness/n8nClient.ts';
import { packageNode, plainNode } from '../../harness/runner.ts';

/** Where the trigger asks for web bookings. */
export const WEB_BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
export const POLL_SECONDS = 5;

/** n8n takes no cron entry below a minute, but as many entries as there are. */
const EVERY_FEW_SECONDS = {
	item: Array.from({ length: 60 / POLL_SECONDS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * POLL_SECONDS} * * * * *`,
	})),
};

/** The trigger every five seconds, and a node behind it. */
export function triggerWorkflow(
	credential: StoredCredential,
	parameters: JsonObject,
	behind: WorkflowNode,
): Workflow {
	const trigger = {
		pollTimes: EVERY_FEW_SECONDS,
		output: 'selected',
		outputFields: ['guid', 'changeDate', 'createdDate'],
		...parameters,
		options: { eventDetails: true, ...(parameters.options as JsonObject | undefined) },
	};
	const place = { id: 'trigger', name: 'Trigger', position: [0, 0] };
	return {
		name: 'Changes',
		nodes: [packageNode('hospitalityBookingTrigger', trigger, credential, place), behind],
		connections: { Trigger: { main: [[{ node: behind.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all', saveDataErrorExecution: 'all' },
	};
}

/** Delivers each item to a recorder with its event's details. */
export function delivery(recorder: string): WorkflowNode {
	return {
		...plainNode('Deliver', 'httpRequest', 200),
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: recorder,
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ { guid: $json.guid ?? String($json.id), stamp: $json.changeDate ?? $json.createdDate, execution: $execution.id, event: $json.event } }}',
		},
	};
}
