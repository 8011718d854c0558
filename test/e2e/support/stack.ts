import {
	N8nClient,
	type Execution,
	type JsonObject,
	type Owner,
	type StoredCredential,
	type WorkflowNode,
} from '../../../demo/n8nClient.ts';
import { callControl, type SandboxFacts } from '../../../demo/sandbox.ts';

const STACK = 'HOSPITALITY_BOOKING_E2E_STACK';
const PACKAGE = 'n8n-nodes-hospitality-booking';

export const OWNER: Owner = {
	email: 'owner@example.com',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Hospitality1',
};

interface Stack {
	url: string;
	folder: string;
	sandbox: SandboxFacts;
}

/** What the sandbox counts; see its control endpoint. */
export interface SandboxStats {
	requests: number;
	tokenRequests: number;
	failedCalls: number;
	maxConcurrent: number;
	byPath: Record<string, number>;
	byStatus: Record<string, number>;
}

/** Tells the test files where the running n8n and sandbox are. */
export function publishStack(stack: Stack): void {
	process.env[STACK] = JSON.stringify(stack);
}

/** @throws outside of `npm run test:e2e`, which starts them */
export function foundStack(): Stack {
	const stack = process.env[STACK];
	if (stack === undefined) throw new Error('n8n is not running: run these tests with npm run test:e2e');
	return JSON.parse(stack) as Stack;
}

/** The running n8n, signed in, and the sandbox. */
export async function connect() {
	const { url, sandbox } = foundStack();
	const client = new N8nClient(url);
	await client.signIn(OWNER);
	const control = (method: string, path: string, body?: unknown) => callControl(sandbox, method, path, body);
	return {
		client,
		sandbox,
		control,
		/** What the sandbox has counted since the last `DELETE stats`. */
		stats: async () => (await control('GET', 'stats')) as SandboxStats,
	};
}

export type Connection = Awaited<ReturnType<typeof connect>>;

/** A node of this package for a workflow; `settings` are n8n's own, such as `onError`. */
export function packageNode(
	type: string,
	parameters: JsonObject,
	credential: StoredCredential,
	settings: JsonObject = {},
): WorkflowNode {
	return {
		id: 'under-test',
		name: 'Under Test',
		type: `${PACKAGE}.${type}`,
		typeVersion: 1,
		position: [400, 0],
		parameters,
		credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		...settings,
	};
}

let workflows = 0;

/** Publishes Webhook → one item per element → the node, as a person would build it. */
export async function publishRunner(client: N8nClient, node: WorkflowNode) {
	const path = `run-${++workflows}-${Math.random().toString(36).slice(2)}`;
	const to = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const workflow = await client.activate(
		await client.createWorkflow({
			name: path,
			settings: { executionOrder: 'v1' },
			connections: { Webhook: to('Items'), Items: to(node.name) },
			nodes: [
				{
					id: 'webhook',
					name: 'Webhook',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					position: [0, 0],
					webhookId: path,
					parameters: { path, httpMethod: 'POST', responseMode: 'lastNode', responseData: 'noData' },
				},
				{
					id: 'items',
					name: 'Items',
					type: 'n8n-nodes-base.splitOut',
					typeVersion: 1,
					position: [200, 0],
					parameters: { fieldToSplitOut: 'body.items', options: {} },
				},
				node,
			],
		}),
	);
	return {
		/** Runs the node once over these items and returns the whole execution. */
		run: async (items: unknown[]): Promise<Execution> => {
			await client.callWebhook(path, { items });
			const [latest] = await client.executions(workflow.id, 1);
			if (!latest) throw new Error(`The workflow ${path} was not run.`);
			return await client.execution(latest.id);
		},
		end: () => client.deactivate(workflow),
	};
}

/** The items that the node under test put out on its first output. */
export function outputOf(execution: Execution) {
	return execution.runs['Under Test']?.[0]?.data?.main?.[0] ?? [];
}
