import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeProperties, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { lacksTableMaker } from '../../../dev/demo/table.ts';
import { credentialTypeOf, runsOn, workflowFile, workflowsFolder } from '../../../dev/demo/workflows.ts';
import type { WorkflowNode } from '../../../dev/n8nClient.ts';
import { chosenN8n, connect } from '../support/stack.ts';
import { TO_CHOOSE, TO_ENTER } from './toChoose';

const FOLDER = workflowsFolder();
const NAMES = readdirSync(FOLDER).map((file) => file.replace('.json', ''));
const STICKY = 'n8n-nodes-base.stickyNote';

interface Assignments {
	assignments: Array<{ name: string; value: unknown }>;
}

interface Note {
	content: string;
}

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

	const following = (node: string) =>
		(workflow.connections as Record<string, { main?: Array<Array<{ node: string }>> }>)[node]?.main ?? [];
	const reachedFrom = (start: string, seen: string[] = []): string[] =>
		following(start)
			.flat()
			.reduce((all, { node }) => (all.includes(node) ? all : reachedFrom(node, [...all, node])), seen);

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

	it('is set up in at most five entries, besides credentials', () => {
		const empty = nodes.flatMap(({ parameters }) =>
			((parameters.assignments as Assignments | undefined)?.assignments ?? [])
				.filter(({ value }) => value === '')
				.map((one) => one.name),
		);
		const marked = Object.values(TO_CHOOSE[name] ?? {}).flat();

		expect(empty).toEqual(TO_ENTER[name] ?? []);
		expect([...marked, ...empty].length).toBeLessThanOrEqual(5);
	});

	it('has one note, which names every node that needs a choice', () => {
		const notes = workflow.nodes.filter(({ type }) => type === STICKY);
		const { content } = notes[0]?.parameters as unknown as Note;
		const bookingNodes = nodes.filter((node) => credentialTypeOf(node)?.startsWith('hospitality'));

		expect(notes).toHaveLength(1);
		expect(bookingNodes.filter((node) => !content.includes(node.name)).map((node) => node.name)).toEqual([]);
	});

	it('names its nodes in words of its own, like parts of a sentence', () => {
		const displayNames = types.flatMap(({ displayName, defaults }) => [displayName, defaults.name]);
		expect(nodes.filter((node) => displayNames.includes(node.name))).toEqual([]);
		expect(nodes.filter((node) => !/^[A-Z].* /.test(node.name))).toEqual([]);
	});

	itWhereItRuns(
		'tells by email when it fails, unless a person or an agent looks on, and connects each error output',
		() => {
			const isWatched = nodes.some(({ type }) => /\.(manualTrigger|mcpTrigger)$/.test(type));
			const trigger = nodes.find(({ type }) => type === 'n8n-nodes-base.errorTrigger');
			const told = nodes.find((node) => node.name === 'Tell me what failed');
			const withErrorOutput = nodes.filter(({ onError }) => onError === 'continueErrorOutput');
			const lost = withErrorOutput.filter((node) => {
				const outputs = typeOf(node).outputs;
				const own = Array.isArray(outputs) ? outputs.length : 1;
				return (following(node.name)[own]?.length ?? 0) === 0;
			});

			expect([trigger?.type, told?.type]).toEqual(
				isWatched ? [undefined, undefined] : ['n8n-nodes-base.errorTrigger', 'n8n-nodes-base.emailSend'],
			);
			if (!isWatched) expect(reachedFrom('This workflow has failed')).toContain('Tell me what failed');
			expect(lost.map((node) => node.name)).toEqual([]);
		},
	);

	it('tells an outage once when it begins and once when it is over, where it would fail again and again', () => {
		const repeats = nodes.some(
			({ type, parameters }) =>
				/BookingTrigger$|\.webhook$/.test(type) || JSON.stringify(parameters).includes('hoursInterval'),
		);
		const reached = reachedFrom('This workflow has failed');
		expect(reached.includes('Tell me that it works again')).toBe(repeats);
	});

	it('reads no status by its name, and lets nobody in without a key', () => {
		const text = JSON.stringify(nodes);
		const open = nodes.filter(
			({ type, parameters }) =>
				/\.(chatTrigger|formTrigger|mcpTrigger|webhook)$/.test(type) &&
				(parameters.authentication ?? 'none') === 'none' &&
				parameters.path !== '',
		);

		expect(text).not.toMatch(/history\??\.at|cancel\/i|no\.\?show|\b(?:Status|statusName) [!=]==? '/);
		expect(open.map((node) => node.name)).toEqual([]);
	});

	it('holds no secret, no address but examples, and no credential, so that n8n adds the only one or asks for it', () => {
		const text = readFileSync(join(FOLDER, `${name}.json`), 'utf8');
		const hosts = [...text.matchAll(/(?:https?:\/\/|@)([a-z0-9.-]+\.[a-z]+)/gi)].map(([, host]) => host);

		expect(nodes.filter((node) => 'credentials' in node)).toEqual([]);
		expect(hosts.filter((host) => host !== 'example.com')).toEqual([]);
		expect(text).not.toMatch(/"(?:instanceId|versionId|projectId|pinData)"/);
	});
});

test('all files take the same texts for the address of a guest', () => {
	const checks = NAMES.flatMap((name) => {
		const texts = JSON.stringify(workflowFile(name).nodes);
		return texts.match(/\/\^\[\^[^/]*@[^/]*\/i?(?=\.test)/g) ?? [];
	});
	expect(checks.length).toBeGreaterThan(4);
	expect([...new Set(checks)]).toHaveLength(1);
});
