import { readdirSync } from 'node:fs';
import { type INode, type INodeProperties, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { lacksTableMaker } from '../../../dev/demo/table.ts';
import { runsOn, workflowFile, workflowsFolder } from '../../../dev/demo/workflows.ts';
import type { WorkflowNode } from '../../../dev/n8nClient.ts';
import { chosenN8n, connect } from '../support/stack.ts';
import { remove } from './support';
import { TO_CHOOSE } from './toChoose';

const NAMES = readdirSync(workflowsFolder()).map((file) => file.replace('.json', ''));
const STICKY = 'n8n-nodes-base.stickyNote';

/** The names in what a collection or fixedCollection holds that it does not offer. */
function notOffered({ type, name, options = [] }: INodeProperties, value: unknown): string[] {
	if (type !== 'collection' && type !== 'fixedCollection') return [];
	return Object.entries((value ?? {}) as object).flatMap(([key, own]) => {
		const option = options.find((one) => one.name === key);
		if (option === undefined) return [`${name}.${key}`];
		if (!('values' in option)) return 'type' in option ? notOffered(option, own) : [];
		return [own].flat().flatMap((entry: object) =>
			Object.entries(entry).flatMap(([field, inner]) => {
				const offered = option.values.filter((one) => one.name === field);
				return offered.length === 0
					? [`${name}.${key}.${field}`]
					: offered.flatMap((one) => notOffered(one, inner));
			}),
		);
	});
}

const { version } = chosenN8n();
let types: INodeTypeDescription[];

beforeAll(async () => {
	types = (await connect().client.request('GET', '/types/nodes.json')) as INodeTypeDescription[];
});

describe.each(NAMES)('workflows/%s.json', (name) => {
	const workflow = workflowFile(name);
	const nodes = workflow.nodes.filter(({ type }) => type !== STICKY);

	/** The description that n8n has of a node, for the version that the file asks for. */
	function typeOf({ type, typeVersion }: WorkflowNode): INodeTypeDescription {
		const found = types.find((one) => one.name === type && [one.version].flat().includes(typeVersion));
		if (!found)
			throw new Error(`n8n has no ${type} of version ${typeVersion}, and the page asks for none newer.`);
		return found;
	}
	const itWhereItRuns = runsOn(version, name) ? it : it.skip;

	itWhereItRuns(
		'has only parameters that its nodes offer, and leaves open what the note says to choose',
		() => {
			const offered = nodes.filter((node) => !lacksTableMaker(version, node));
			const open = offered.map((node) => {
				const type = typeOf(node);
				const asStored = node as unknown as INode;
				const whole = NodeHelpers.getNodeParameters(
					type.properties,
					node.parameters as INode['parameters'],
					true,
					false,
					asStored,
					type,
				);
				const unknown = [
					...Object.keys(node.parameters).filter((parameter) => !(parameter in (whole ?? {}))),
					...Object.entries(node.parameters).flatMap(([parameter, value]) => {
						// One name can stand for several properties, of which each operation has its own.
						const all = type.properties.filter((property) => property.name === parameter);
						const findings = all.map((property) => notOffered(property, value));
						return findings.every((found) => found.length > 0) ? findings.flat() : [];
					}),
				];
				const issues = NodeHelpers.getNodeParametersIssues(
					type.properties,
					{ ...asStored, parameters: whole ?? {} },
					type,
				);
				// On import the editor makes an empty path a random one.
				const empty = Object.keys(issues?.parameters ?? {}).filter((parameter) => parameter !== 'path');
				return [node.name, [...unknown, ...empty]] as const;
			});

			expect(Object.fromEntries(open.filter(([, parameters]) => parameters.length > 0))).toEqual(
				TO_CHOOSE[name] ?? {},
			);
		},
	);

	it('names its nodes in words of its own, like parts of a sentence', () => {
		const displayNames = types.flatMap(({ displayName, defaults }) => [displayName, defaults.name]);
		expect(nodes.filter((node) => displayNames.includes(node.name))).toEqual([]);
		expect(nodes.filter((node) => !/^[A-Z].* /.test(node.name))).toEqual([]);
	});

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
