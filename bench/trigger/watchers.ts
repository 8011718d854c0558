import type { JsonObject, StoredCredential, Workflow, WorkflowNode } from '../../harness/n8nClient.ts';
import { BOOKINGS } from '../requests/service.ts';

/** A workflow that watches for changed bookings, and the node whose items are what it has found. */
export interface Watcher {
	workflow: Workflow;
	foundBy: string;
}

/** Seconds from poll to poll: a twelfth of the minute that people set, to see many polls in little time. */
export const POLL_SECONDS = 5;
/** How far both look back: twice the time between two polls. */
export const LOOK_BACK_SECONDS = 2 * POLL_SECONDS;

const SETTINGS = { executionOrder: 'v1', saveDataSuccessExecution: 'all', saveDataErrorExecution: 'all' };

/** This package's trigger, with nothing set but what the scale asks for. */
export function ourWatcher(credential: StoredCredential): Watcher {
	const foundBy = 'Hospitality Booking Trigger';
	const item = Array.from({ length: 60 / POLL_SECONDS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * POLL_SECONDS} * * * * *`,
	}));
	const trigger = node(foundBy, 'n8n-nodes-hospitality-booking.hospitalityBookingTrigger', 1, 0, {
		pollTimes: { item },
		event: 'bookingChanged',
		include: [],
		output: 'raw',
		options: { overlap: LOOK_BACK_SECONDS / 60 },
	});
	const next = node('Next', 'n8n-nodes-base.noOp', 1, 200, {});
	return {
		foundBy,
		workflow: {
			name: 'This trigger',
			settings: SETTINGS,
			nodes: [{ ...trigger, credentials: chosen(credential) }, next],
			connections: { [foundBy]: to('Next') },
		},
	};
}

/**
 * What people build without a trigger: on a schedule, ask for what has changed in the last while by n8n's clock, try
 * again where the call fails, and drop what earlier executions have seen.
 */
export function builtWatcher(credential: StoredCredential, url: string, system: string): Watcher {
	const schedule = node('Schedule Trigger', 'n8n-nodes-base.scheduleTrigger', 1.2, 0, {
		rule: { interval: [{ field: 'seconds', secondsInterval: POLL_SECONDS }] },
	});
	const request = node('HTTP Request', 'n8n-nodes-base.httpRequest', 4.5, 200, {
		authentication: 'genericCredentialType',
		genericAuthType: 'oAuth2Api',
		url: url + BOOKINGS,
		sendQuery: true,
		queryParameters: {
			parameters: [
				{
					name: 'changedFrom',
					value: `={{ $now.minus({ seconds: ${LOOK_BACK_SECONDS} }).toUTC().toISO() }}`,
				},
			],
		},
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'system', value: system }] },
		options: {},
	});
	const foundBy = 'Remove Duplicates';
	const removal = node(foundBy, 'n8n-nodes-base.removeDuplicates', 2, 400, {
		operation: 'removeItemsSeenInPreviousExecutions',
		logic: 'removeItemsWithAlreadySeenKeyValues',
		dedupeValue: '={{ $json.guid }} {{ $json.changeDate }}',
		options: {},
	});
	return {
		foundBy,
		workflow: {
			name: 'Schedule, request, remove duplicates',
			settings: SETTINGS,
			nodes: [
				schedule,
				{
					...request,
					credentials: chosen(credential),
					retryOnFail: true,
					maxTries: 3,
					waitBetweenTries: 1000,
				},
				removal,
			],
			connections: { 'Schedule Trigger': to('HTTP Request'), 'HTTP Request': to(foundBy) },
		},
	};
}

function node(
	name: string,
	type: string,
	typeVersion: number,
	x: number,
	parameters: JsonObject,
): WorkflowNode {
	return { id: name, name, type, typeVersion, position: [x, 0], parameters };
}

function chosen({ id, name, type }: StoredCredential): WorkflowNode['credentials'] {
	return { [type]: { id, name } };
}

function to(name: string): JsonObject {
	return { main: [[{ node: name, type: 'main', index: 0 }]] };
}
