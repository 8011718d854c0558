import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { credentialTypeOf, workflowFile, workflowsFolder } from '../../dev/demo/workflows.ts';
import type { WorkflowNode } from '../../dev/n8nClient.ts';

const NAMES = readdirSync(workflowsFolder()).map((file) => file.replace('.json', ''));
const STICKY = 'n8n-nodes-base.stickyNote';
/** The price list reads a file. */
const MOST_NODES: Record<string, number> = { 'price-list-to-articles': 14 };
const USUAL_NODES = 10;
/** Longest code between {{ and }}: what a person can read aloud. The calendar writes one event as a list of its lines. */
const LONGEST = 200;
const LISTS = ['bookings-as-a-calendar: Write an event for each'];
const files = NAMES.map((name) => {
	const { nodes, connections } = workflowFile(name);
	const notes = nodes.filter(({ type }) => type === STICKY);
	return { name, connections, notes, nodes: nodes.filter((node) => !notes.includes(node)) };
});
const every = NAMES.map((name, index) => [name, files[index] as (typeof files)[number]] as const);

/** All texts among the parameters of a node. */
function textsOf(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
/** The words of a file by language, where it speaks to people. */
function wordsOf(nodes: WorkflowNode[]): Record<string, Record<string, unknown>> | undefined {
	const { assignments } = (nodes.find(({ name }) => name === 'Your house')?.parameters
		.assignments ?? {}) as {
		assignments?: Array<{ name: string; value: string }>;
	};
	const words = assignments?.find((one) => ['words', 'letters'].includes(one.name));
	return words && (JSON.parse(words.value) as Record<string, Record<string, unknown>>);
}
const keysOf = (value: object): string[] =>
	Object.entries(value).flatMap(([key, own]) => [
		key,
		...(typeof own === 'object' ? keysOf(own as object) : []),
	]);
const codesOf = (text: string) =>
	[...text.matchAll(/\{\{([\s\S]*?)\}\}(?!\})/g)].map(([, code = '']) => code.trim());

describe.each(every)('workflows/%s.json', (name, { nodes, notes, connections }) => {
	const ofNote = String(notes[0]?.parameters.content);

	it('has few nodes, one note that names each node that needs a choice, and no code but the price list', () => {
		const asks = ({ type, parameters }: WorkflowNode) =>
			credentialTypeOf({ type } as WorkflowNode) !== undefined ||
			['toEmail', 'url', 'documentId'].some((field) => parameters[field] === '');
		const codes = nodes.filter(({ type }) => type === 'n8n-nodes-base.code');

		expect(nodes.length).toBeLessThanOrEqual(MOST_NODES[name] ?? USUAL_NODES);
		expect(notes).toHaveLength(1);
		expect(
			nodes
				.filter((node) => asks(node) && !ofNote.includes(`**${node.name}**`))
				.map((node) => node.name),
		).toEqual([]);
		expect(codes.length > 0).toBe(name === 'price-list-to-articles');
	});

	it('has expressions that a person can read aloud', () => {
		const long = nodes.flatMap((node) =>
			textsOf(node.parameters)
				.filter((text) => text.startsWith('=') && !LISTS.includes(`${name}: ${node.name}`))
				.flatMap(codesOf)
				.filter((code) => code.length > LONGEST && !/^\{\s*en:/.test(code)),
		);
		expect(long).toEqual([]);
	});

	it('leaves failures to the one workflow that tells them, and connects each error output', () => {
		const following = connections as Record<string, { main?: unknown[][] }>;
		const lost = nodes.filter(
			(node) =>
				node.onError === 'continueErrorOutput' &&
				(following[node.name]?.main?.at(-1)?.length ?? 0) === 0,
		);
		const tells = nodes.some(({ type }) => type === 'n8n-nodes-base.errorTrigger');

		expect(tells).toBe(name === 'tell-me-when-something-fails');
		expect(lost.map((node) => node.name)).toEqual([]);
		expect(JSON.stringify(nodes)).not.toContain('removeDuplicates');
	});

	it('speaks en, sv and de where it speaks to people, in the one node Your house', () => {
		const all = wordsOf(nodes);
		if (!all) return;
		expect(Object.keys(all)).toEqual(['en', 'sv', 'de']);
		for (const language of Object.values(all))
			expect(keysOf(language)).toEqual(keysOf(all.en ?? {}));
	});

	it('reads no status by its name, lets nobody in without a key, and holds no secret', () => {
		const text = readFileSync(join(workflowsFolder(), `${name}.json`), 'utf8');
		const open = nodes.filter(
			({ type, parameters }) =>
				/\.(chatTrigger|formTrigger|mcpTrigger|webhook)$/.test(type) &&
				(parameters.authentication ?? 'none') === 'none' &&
				parameters.path !== '',
		);

		expect(open.map((node) => node.name)).toEqual([]);
		expect(nodes.filter((node) => 'credentials' in node)).toEqual([]);
		expect(text).not.toMatch(
			/history\??\.at|no\.\?show|\b(?:Status|status) [!=]==? '|https?:\/\/|"(?:instanceId|versionId|projectId|pinData)"/,
		);
	});
});
