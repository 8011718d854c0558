import type { JsonObject, StoredCredential, Workflow } from '../../harness/n8nClient.ts';
import { packageNode } from '../../harness/runner.ts';

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

/** The trigger every five seconds, and a node that delivers each item to a recorder with its event's details. */
export function deliveringWorkflow(
	credential: StoredCredential,
	recorder: string,
	parameters: JsonObject,
): Workflow {
	const trigger = {
		pollTimes: EVERY_FEW_SECONDS,
		output: 'selected',
		outputFields: ['guid', 'changeDate', 'createdDate'],
		...parameters,
		options: { eventDetails: true, ...(parameters.options as JsonObject | undefined) },
	};
	const deliver = {
		method: 'POST',
		url: recorder,
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			'={{ { guid: $json.guid ?? String($json.id), stamp: $json.changeDate ?? $json.createdDate, execution: $execution.id, event: $json.event } }}',
	};
	const place = { id: 'trigger', name: 'Trigger', position: [0, 0] };
	return {
		name: 'Deliver',
		nodes: [
			packageNode('hospitalityBookingTrigger', trigger, credential, place),
			{
				id: 'deliver',
				name: 'Deliver',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [200, 0],
				parameters: deliver,
			},
		],
		connections: { Trigger: { main: [[{ node: 'Deliver', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all', saveDataErrorExecution: 'all' },
	};
}
