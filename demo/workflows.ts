import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, StoredCredential, Workflow, WorkflowNode } from '../harness/n8nClient.ts';
import { projectRoot } from '../harness/paths.ts';

/** The folder that the example workflows write to as they stand: the one n8n's container image allows. */
const EXAMPLE_FOLDER = '/home/node/.n8n-files';

/** n8n refuses cron entries that run more than once a minute, but takes several: together every five seconds. */
const EVERY_FIVE_SECONDS = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

/** The credential that a person chooses on a node, by the node's type. The files themselves name none. */
const CREDENTIAL_TYPES: Record<string, string> = {
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-hospitality-booking.hospitalityBooking': 'hospitalityBookingApi',
	'n8n-nodes-hospitality-booking.hospitalityBookingTool': 'hospitalityBookingApi',
	'n8n-nodes-hospitality-booking.hospitalityBookingTrigger': 'hospitalityBookingApi',
	'n8n-nodes-hospitality-booking.hospitalityPayment': 'hospitalityPaymentApi',
};

export interface WorkflowSettings {
	/** Used by the nodes that want a credential of that type. */
	credentials: StoredCredential[];
	/** Where files go. */
	filesFolder: string;
	/** Parameters that a person sets by hand, by the name of the node. */
	parameters?: Record<string, JsonObject>;
}

/** A workflow that people import, as it is in `workflows/<name>.json`. */
export function workflowFile(name: string): Workflow {
	return parseWorkflow(readText(name));
}

/**
 * Reads a workflow that people import and fills in what a person fills in by hand: credentials, the folder of files and
 * the parameters given. Polls every five seconds instead of every minute.
 */
export function exampleWorkflow(name: string, settings: WorkflowSettings): Workflow {
	const folder = settings.filesFolder.replaceAll('\\', '/');
	const workflow = parseWorkflow(readText(name).replaceAll(EXAMPLE_FOLDER, folder));
	const unknown = Object.keys(settings.parameters ?? {}).find(
		(node) => !workflow.nodes.some((one) => one.name === node),
	);
	if (unknown !== undefined) throw new Error(`${name}.json has no node "${unknown}".`);
	return { ...workflow, nodes: workflow.nodes.map((node) => fillIn(node, settings)) };
}

/** @returns the type of credential that a node needs; undefined where it needs none */
export function credentialTypeOf({ type }: WorkflowNode): string | undefined {
	return CREDENTIAL_TYPES[type];
}

/** `workflows/`. */
export function workflowsFolder(): string {
	return join(projectRoot(), 'workflows');
}

function readText(name: string): string {
	return readFileSync(join(workflowsFolder(), `${name}.json`), 'utf8');
}

function parseWorkflow(text: string): Workflow {
	return JSON.parse(text) as Workflow;
}

/** What the editor gives an id of its own on import, which n8n's API leaves out before 2.0. */
function isAddress({ type }: WorkflowNode): boolean {
	return type === 'n8n-nodes-base.webhook';
}

function fillIn(node: WorkflowNode, { credentials, parameters = {} }: WorkflowSettings): WorkflowNode {
	const type = credentialTypeOf(node);
	const credential = credentials.find((one) => one.type === type);
	if (type !== undefined && !credential)
		throw new Error(`The node "${node.name}" needs a credential of type ${type}.`);
	return {
		...node,
		...(isAddress(node) ? { webhookId: node.webhookId ?? randomUUID() } : {}),
		...(credential && { credentials: { [credential.type]: { id: credential.id, name: credential.name } } }),
		parameters: {
			...node.parameters,
			...('pollTimes' in node.parameters ? { pollTimes: { item: EVERY_FIVE_SECONDS } } : {}),
			...parameters[node.name],
		},
	};
}
