import { readdirSync } from 'node:fs';
import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { lacksTableMaker } from '../../../dev/demo/table.ts';
import { runsOn, workflowFile, workflowsFolder } from '../../../dev/demo/workflows.ts';
import type { WorkflowNode } from '../../../dev/n8nClient.ts';
import { chosenN8n, connect } from '../support/stack.ts';
import { remove } from './support';

const NAMES = readdirSync(workflowsFolder()).map((file) => file.replace('.json', ''));

const { version } = chosenN8n();
let types: INodeTypeDescription[];

beforeAll(async () => {
	types = (await connect().client.request('GET', '/types/nodes.json')) as INodeTypeDescription[];
});

describe.each(NAMES)('workflows/%s.json', (name) => {
	const workflow = workflowFile(name);
	const note = workflow.nodes.find(({ type }) => type.endsWith('.stickyNote'))?.parameters.content;

	/** What n8n says of a node before it runs: parameters that it does not offer, and required ones that are empty. */
	function check(node: WorkflowNode) {
		const asStored = node as unknown as INode;
		const { type, typeVersion, parameters } = asStored;
		const found = types.find(
			(one) => one.name === type && [one.version].flat().includes(typeVersion),
		);
		if (!found) {
			throw new Error(
				`n8n has no ${type} of version ${typeVersion}, and the page asks for none newer.`,
			);
		}
		const { properties } = found;
		const whole =
			NodeHelpers.getNodeParameters(properties, parameters, true, false, asStored, found) ?? {};
		const stored = { ...asStored, parameters: whole };
		const issues = NodeHelpers.getNodeParametersIssues(properties, stored, found)?.parameters;
		return {
			unknown: Object.keys(parameters).filter((parameter) => !(parameter in whole)),
			// On import the editor makes an empty path a random one.
			isOpen: Object.keys(issues ?? {}).some((parameter) => parameter !== 'path'),
		};
	}
	const itWhereItRuns = runsOn(version, name) ? it : it.skip;

	itWhereItRuns(
		'has only parameters that its nodes offer, and leaves open what its note says to choose',
		() => {
			const nodes = workflow.nodes.filter((node) => !lacksTableMaker(version, node));
			const open = nodes.filter((node) => check(node).isOpen).map((node) => node.name);

			expect(nodes.flatMap((node) => check(node).unknown)).toEqual([]);
			expect(open.filter((one) => !String(note).includes(`**${one}**`))).toEqual([]);
		},
	);

	// n8n 1.x publishes whatever comes.
	const itWhereItIsChecked = version.startsWith('1.') ? it.skip : itWhereItRuns;
	itWhereItIsChecked(
		'came by the API without credentials or addresses: n8n says what is missing',
		async () => {
			const { client } = connect();
			const stored = await client.createWorkflow(workflow);
			await expect(client.activate(stored)).rejects.toThrow(/credential|required|trigger|issue/i);
			await remove(client, stored);
		},
	);
});
