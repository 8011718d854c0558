import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredCredential, Workflow, WorkflowNode } from '../harness/n8nClient.ts';
import { projectRoot } from '../harness/paths.ts';

/** The folder that the example workflows write to as they stand: the one n8n's container image allows. */
const EXAMPLE_FOLDER = '/home/node/.n8n-files';

/** n8n refuses cron entries that run more than once a minute, but takes several: together every five seconds. */
const EVERY_FIVE_SECONDS = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

export interface WorkflowSettings {
	/** Used by the nodes that want a credential of that type. */
	credentials: StoredCredential[];
	/** Where the spreadsheets go. */
	filesFolder: string;
}

/**
 * Reads one of the example workflows that people import (a file of `workflows/`) and fills in what a person
 * fills in by hand: credentials and the spreadsheets' folder. Polls every five seconds instead of every minute.
 */
export function exampleWorkflow(file: string, settings: WorkflowSettings): Workflow {
	const folder = settings.filesFolder.replaceAll('\\', '/');
	const text = readFileSync(join(projectRoot(), 'workflows', file), 'utf8');
	const workflow = JSON.parse(text.replaceAll(EXAMPLE_FOLDER, folder)) as Workflow;
	return { ...workflow, nodes: workflow.nodes.map((node) => fillIn(node, settings.credentials)) };
}

function fillIn(node: WorkflowNode, credentials: StoredCredential[]): WorkflowNode {
	const chosen = Object.keys(node.credentials ?? {}).map((type) => {
		const credential = credentials.find((one) => one.type === type);
		if (!credential) throw new Error(`The node "${node.name}" needs a credential of type ${type}.`);
		return [type, { id: credential.id, name: credential.name }];
	});
	return {
		...node,
		...(chosen.length > 0 ? { credentials: Object.fromEntries(chosen) } : {}),
		...('pollTimes' in node.parameters
			? { parameters: { ...node.parameters, pollTimes: { item: EVERY_FIVE_SECONDS } } }
			: {}),
	};
}
