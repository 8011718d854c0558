import { createParameterReader } from '../../../../nodes/shared/operation/parameters';
import {
	type IExecuteFunctions,
	type INodeProperties,
	type INodeType,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { createEngine, type Engine } from '../../support/engine';

/** Every kind of value that a person may give a field. */
const VALUES: Record<string, string> = {
	text: '={{ $json.text }}',
	number: '={{ $json.number * 2 }}',
	flag: '={{ $json.number > 1 }}',
	nothing: '={{ null }}',
	missing: '={{ $json.missing }}',
	deepMissing: '={{ $json.missing.deeper }}',
	list: '={{ [1, 2, $json.number] }}',
	object: '={{ { a: $json.text } }}',
	date: "={{ DateTime.fromISO('2026-12-24T18:00:00', { zone: 'utc' }) }}",
	day: "={{ new Date('2026-12-24T18:00:00Z') }}",
	template: '=Dear {{ $json.text }}, {{ $json.number }}',
	spaced: '={{ $json.text }} ',
	comment: '={{ $json.text // the guest\n}}',
	extension: '={{ $json.text.toTitleCase() }}',
	linked: "={{ $('Before').item.json.text }}",
	brackets: '={{ "}" + $json.text + "{" }}',
	fixed: 'as it is',
	equals: '=no brackets',
};
/** n8n answers these with an error of its own. */
const BROKEN: Record<string, string> = {
	unfinished: '={{ $json.text + }}',
	splitter: '={{ 1), (2 }}',
	unknownNode: "={{ $('Nowhere').item.json.text }}",
	uncalled: '={{ $json.text.toUpperCase }}',
};

/** What both ways give for a parameter; an error as its message. */
function outcome(read: () => unknown): unknown {
	try {
		return { value: read() };
	} catch (error) {
		return { error: (error as Error).message };
	}
}

const names = [...Object.keys(VALUES), ...Object.keys(BROKEN)];
const fields = names.map((name): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
}));
const form: INodeProperties[] = [
	...fields,
	{ displayName: 'Group', name: 'group', type: 'collection', default: {}, options: fields },
	{
		displayName: 'Rows',
		name: 'rows',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [{ displayName: 'Row', name: 'entry', values: fields }],
	},
	{ displayName: 'Place', name: 'place', type: 'resourceLocator', default: { mode: 'id', value: '' } },
];

/** Gives out what each parameter is, read alone and read together. */
function readingNode(): INodeType {
	return {
		description: {
			displayName: 'Reading',
			name: 'reading',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: { name: 'Reading' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: form,
		},
		async execute(this: IExecuteFunctions) {
			const alone = (name: string, itemIndex: number) =>
				this.getNodeParameter(name, itemIndex, '') as unknown;
			const parametersOf = createParameterReader(this, alone);
			const filled = [...Object.keys(this.getNode().parameters), 'notOnTheForm'];
			return [
				this.getInputData().map((_, item) => {
					const together = parametersOf(item);
					return {
						json: {
							alone: JSON.stringify(filled.map((name) => [name, outcome(() => alone(name, item))])),
							together: JSON.stringify(filled.map((name) => [name, outcome(() => together(name))])),
						},
						pairedItem: item,
					};
				}),
			];
		},
	};
}

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine({});
	engine.nodeTypes.add('test.reading', readingNode());
});

async function read(parameters: Record<string, unknown>) {
	const run = await engine.execute({
		node: 'test.reading',
		parameters: parameters as never,
		items: [
			{ text: 'anna lind', number: 1 },
			{ text: 'bo "ek"', number: 2 },
		],
	});
	expect(run.error).toBeUndefined();
	expect(run.json()).toHaveLength(2);
	return run.json() as Array<{ alone: string; together: string }>;
}

test('gives every value as n8n gives it: open, in collections, in rows and in a locator', async () => {
	const place = { __rl: true, mode: 'id', value: VALUES.text };
	const parameters = { ...VALUES, group: VALUES, rows: { entry: [VALUES, VALUES] }, place };
	for (const { alone, together } of await read(parameters)) {
		expect(JSON.parse(alone)).toContainEqual(['place', { value: { ...place, value: expect.any(String) } }]);
		expect(JSON.parse(together)).toEqual(JSON.parse(alone));
	}
});

test.each(Object.entries(BROKEN))('says what n8n says about a broken value: %s', async (name, broken) => {
	const group = { text: VALUES.text, linked: VALUES.linked };
	for (const { alone, together } of await read({ [name]: broken, group, number: VALUES.number })) {
		expect(JSON.parse(alone)).toContainEqual([name, expect.anything()]);
		expect(JSON.parse(together)).toEqual(JSON.parse(alone));
	}
});

test('gives each item its own values', async () => {
	const [first, second] = await read({ text: VALUES.text, number: VALUES.number });
	expect(JSON.parse(first?.together ?? '')).toContainEqual(['text', { value: 'anna lind' }]);
	expect(JSON.parse(second?.together ?? '')).toContainEqual(['number', { value: 4 }]);
});

test('evaluates the expressions of an item in one go', async () => {
	const evaluated: string[] = [];
	const context = {
		getNode: () => ({
			parameters: { text: VALUES.text, group: { number: VALUES.number, flag: VALUES.flag } },
		}),
		evaluateExpression: (expression: string) => {
			evaluated.push(expression);
			return ['anna', 4, true];
		},
	} as unknown as IExecuteFunctions;
	const alone = jest.fn();
	const parameter = createParameterReader(context, alone)(0);

	expect([parameter('text'), parameter('group')]).toEqual(['anna', { number: 4, flag: true }]);
	expect(evaluated).toHaveLength(1);
	expect(alone).not.toHaveBeenCalled();
});
