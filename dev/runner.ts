import { eventually } from './eventually.ts';
import type {
	Execution,
	JsonObject,
	N8nClient,
	StoredCredential,
	StoredWorkflow,
	Workflow,
	WorkflowNode,
} from './n8nClient.ts';

const PACKAGE = 'n8n-nodes-hospitality-booking';
const STORED_WITHIN_MS = 60_000;
const UNFINISHED = ['new', 'running', 'waiting'];

/** The name of a node that is run alone. */
export const NODE_UNDER_TEST = 'Under Test';

/** A node of this package for a workflow; `settings` are n8n's own, such as `onError`. */
export function packageNode(
	type: string,
	parameters: JsonObject,
	credential: StoredCredential,
	settings: JsonObject = {},
): WorkflowNode {
	return {
		id: 'under-test',
		name: NODE_UNDER_TEST,
		type: `${PACKAGE}.${type}`,
		typeVersion: 1,
		position: [400, 0],
		parameters,
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		...settings,
	};
}

let workflows = 0;

/**
 * A node of n8n's own without parameters.
 *
 * @param type e.g. `noOp`
 * @param x pixels from the left
 */
export function plainNode(name: string, type: string, x = 0): WorkflowNode {
	return {
		id: name,
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion: 1,
		position: [x, 0],
		parameters: {},
	};
}

/** Webhook → one item per element of `items` → the node, as a person would build it. */
export function webhookWorkflow(
	path: string,
	node: WorkflowNode,
	responseMode: 'lastNode' | 'onReceived' = 'lastNode',
): Workflow {
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const webhook = { path, httpMethod: 'POST', responseMode, responseData: 'noData' };
	return {
		name: path,
		settings: { executionOrder: 'v1' },
		connections: { Webhook: to('Items'), Items: to(node.name) },
		nodes: [
			{ ...plainNode('Webhook', 'webhook'), typeVersion: 2, webhookId: path, parameters: webhook },
			{
				...plainNode('Items', 'splitOut', 200),
				parameters: { fieldToSplitOut: 'body.items', options: {} },
			},
			node,
		],
	};
}

/** Publishes a workflow with the node. @returns what runs it once over items and gives the whole execution, and what ends it */
export async function publishRunner(client: N8nClient, node: WorkflowNode) {
	const path = `run-${++workflows}-${Math.random().toString(36).slice(2)}`;
	const workflow = await client.activate(await client.createWorkflow(webhookWorkflow(path, node)));
	let last = '';
	const run = async (items: unknown[]) => {
		await client.callWebhook(path, { items });
		const ended = async () => {
			const [latest] = await client.executions(workflow.id, 1);
			return (
				latest !== undefined &&
				latest.id !== last &&
				!UNFINISHED.includes(latest.status) &&
				latest.id
			);
		};
		last = await eventually(`the workflow ${path} has run to its end`, ended, STORED_WITHIN_MS, 50);
		return await client.execution(last);
	};
	return { run, end: () => client.deactivate(workflow) };
}

/** The items that a node put out on its first output, or on another one. */
export function outputOf({ runs }: Pick<Execution, 'runs'>, node = NODE_UNDER_TEST, output = 0) {
	return runs[node]?.[0]?.data?.main?.[output] ?? [];
}

/** Presses Execute Workflow, as a person does in the editor, and returns the execution when it has ended. */
export async function runByHand(client: N8nClient, stored: StoredWorkflow): Promise<Execution> {
	const workflow = (await client.request('GET', `/rest/workflows/${stored.id}`)) as Workflow;
	const trigger = workflow.nodes.find(({ type }) => /\.(schedule|manual)Trigger$/.test(type));
	const { executionId } = (await client.request('POST', `/rest/workflows/${stored.id}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: trigger?.name },
	})) as { executionId: string };
	return await eventually(`the execution ${executionId} has ended`, async () => {
		const summary = (await client.executions(stored.id)).find(({ id }) => id === executionId);
		const hasEnded = summary !== undefined && !UNFINISHED.includes(summary.status);
		return hasEnded && (await client.execution(executionId));
	});
}
