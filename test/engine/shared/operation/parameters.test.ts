import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
} from 'n8n-workflow';

import { createParameterReader } from '../../../../nodes/shared/operation/parameters';
import { generated } from '../../../support/thorough';
import { createEngine, type Engine } from '../../support/engine';
import { type ExpressionEngineName, useExpressionEngine } from '../../support/host';
import { plainDescription } from '../../support/nodeTypes';
import { credentialsAt } from '../../support/server';
import { AWKWARD, ORDINARY, expressionFor, itemsOf, parametersWith } from './expressions';

/** What a way of reading gives for a parameter; an error as its message. */
type Outcome = { value: unknown } | { error: string };

interface Reading {
	name: string;
	item: number;
	/** By n8n, each parameter on its own. */
	expected: Outcome;
	actual: Outcome;
}

const names = Array.from({ length: 22 }, (_, index) => `field${index}`);
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
	{ displayName: 'Choices', name: 'choices', type: 'multiOptions', default: [], options: [] },
	{ displayName: 'Mapper', name: 'mapper', type: 'resourceMapper', default: {} },
];

let readings: Reading[] = [];
/** Parameters that were left to n8n. */
let leftToN8n = 0;

function outcome(read: () => unknown): Outcome {
	try {
		return { value: read() };
	} catch (error) {
		return { error: (error as Error).message };
	}
}

/** Reads each parameter of each item both ways. */
const readingNode: INodeType = {
	description: {
		...plainDescription('reading'),
		properties: form,
	},
	async execute(this: IExecuteFunctions) {
		const withN8n = (name: string, item: number) =>
			this.getNodeParameter(name, item, '', { skipValidation: true }) as unknown;
		const items = this.getInputData();
		const parametersOf = createParameterReader(
			this.getNode().parameters,
			(item) => items[item]?.json,
			(name, item) => {
				leftToN8n += 1;
				return withN8n(name, item);
			},
		);
		const all = [...Object.keys(this.getNode().parameters), 'notOnTheForm'];
		for (const item of this.getInputData().keys()) {
			const read = parametersOf(item);
			for (const name of all) {
				const expected = outcome(() => withN8n(name, item));
				readings.push({ name, item, expected, actual: outcome(() => read(name)) });
			}
		}
		return [this.getInputData()];
	},
};

let engine: Engine;

beforeAll(async () => {
	engine = await createEngine({});
	engine.nodeTypes.add('test.reading', readingNode);
});

beforeEach(() => {
	readings = [];
	leftToN8n = 0;
});

async function read(parameters: INodeParameters, items: IDataObject[]): Promise<Reading[]> {
	const run = await engine.execute({ node: 'test.reading', parameters, items });
	expect(run.error).toBeUndefined();
	return readings;
}

function differences(): Reading[] {
	return readings.filter(({ expected, actual }) => !isDeepStrictEqual(expected, actual));
}

useExpressionEngine('vm');

const ENGINES = generated<ExpressionEngineName[]>(['vm'], ['vm', 'legacy', 'quickjs']);
const RUNS = generated(1, 4);

describe.each(ENGINES)("with n8n's expression engine '%s'", (name) => {
	if (name !== 'vm') useExpressionEngine(name);

	it('reads generated pairs of expression and item as n8n does', async () => {
		const given = itemsOf(12).chain((items) =>
			fc.record({
				items: fc.constant(items),
				expressions: fc.array(expressionFor(items), { minLength: 30, maxLength: 30 }),
			}),
		);
		let pairs = 0;
		const check = async ({ items, expressions }: { items: IDataObject[]; expressions: string[] }) => {
			readings = [];
			await read(parametersWith(expressions), items);
			expect(differences()).toEqual([]);
			pairs += expressions.length * items.length;
		};
		await fc.assert(fc.asyncProperty(given, check), { numRuns: RUNS, endOnFailure: true });

		expect(pairs).toBe(RUNS * 360);
	}, 300_000);

	it.each(Object.entries(AWKWARD))(
		'reads an awkward value as n8n does: %s',
		async (_, [expression, json]) => {
			await read({ field0: expression, group: { field0: expression } }, [ORDINARY, json, json]);
			expect(differences()).toEqual([]);
		},
	);
});

const PLAIN_ITEM = {
	text: 'anna',
	deep: { number: 7 },
	'a b': { c: true },
	list: [{ name: 'anna' }, { name: 'bo' }],
	empty: '',
	none: 0,
	no: false,
};

test.each([
	'={{ $json.text }}',
	'={{$json.text}}',
	'={{\n\t$json.text\n}}',
	'={{ $json?.deep?.number }}',
	'={{ $json["a b"].c }}',
	"={{ $json['a b']?.['c'] }}",
	'={{ $json.list[1].name }}',
	'={{ $json.empty }}',
	'={{ $json.none }}',
	'={{ $json.no }}',
])('reads %s from the input item once n8n has read it the same', async (expression) => {
	const parameters = {
		field0: expression,
		group: { field0: expression, field1: 'as it is' },
		rows: { entry: [{ field0: expression }] },
		place: { __rl: true, mode: 'id', value: expression, cachedResultName: 'Anna' },
		choices: [expression, 4],
		mapper: { mappingMode: 'defineBelow', value: { name: expression } },
	} as INodeParameters;
	const readings = await read(parameters, [PLAIN_ITEM, PLAIN_ITEM, PLAIN_ITEM]);

	expect(differences()).toEqual([]);
	expect(leftToN8n).toBe(new Set(readings.map(({ name }) => name)).size);
});

describe('an expression beside others', () => {
	const ITEM = {
		seats: [4, 2],
		tags: ['b', 'a', 'c'],
		guest: { name: 'anna', visits: 1 },
		number: 2,
		names: ['anna', 'bo'],
	};
	const CHANGING = [
		'$json.seats.pop()',
		'$json.seats.shift()',
		'$json.seats.push(9)',
		'$json.tags.splice(0, 1)[0]',
		'$json.tags.sort() && $json.tags[0]',
		'Object.assign($json.guest, { name: "bo" }).name',
		'++$json.guest.visits',
		'$json.guest.name = "bo"',
		'delete $json.guest.name',
	];
	const REWRITTEN_BY_N8N = [
		'$json.number.plus(1)',
		'$json.number.minus(1)',
		'Math.round($json.number)',
		'Object.keys($json).length',
		'$input.first().json.number',
		'$if($json.number > 1, "many", "one")',
		'$json.names[0].toTitleCase()',
	];
	const BROKEN = [
		'$json.text +',
		'1), (2',
		"$('Nowhere').item.json.text",
		'$json.number.toFixed',
		'$json.constructor.name',
	];

	it.each([...CHANGING, ...REWRITTEN_BY_N8N, ...BROKEN])(
		'is read as n8n does, and so are the others: %s',
		async (inner) => {
			const expression = `={{ ${inner} }}`;
			const parameters = {
				field0: expression,
				field1: expression,
				group: { field0: expression, field1: '={{ $json.tags.join() + $json.seats.join() }}' },
				field2: '={{ $json.seats.length }}',
				field3: '={{ $json.tags[0] }}',
				field4: '={{ $json.guest.name ?? "gone" }}',
				field5: '={{ $json.guest.visits }}',
				field6: "={{ $json.names?.[$itemIndex] ?? 'nobody' }}",
			};
			await read(parameters, [structuredClone(ITEM), structuredClone(ITEM)]);
			expect(differences()).toEqual([]);
			expect(valueOf('field1')).toEqual(valueOf('field0'));
			expect(['field4', 'field5', 'field6'].map(valueOf)).toEqual(['anna', 1, 'anna']);
		},
	);
});

it.each(['() => 1', 'Symbol("x")'])(
	'passes on what n8n says of an expression that gives no value: %s, with the item and what to check',
	async (expression) => {
		const own = await createEngine({ credentials: credentialsAt('http://127.0.0.1:9') });
		const { error } = await own.execute({
			node: 'hospitalityBooking',
			parameters: {
				resource: 'checkoutBooking',
				operation: 'cancelToBeInvoiced',
				alias: `={{ ${expression} }}`,
			},
		});

		expect(error?.message).toContain('[item 0]');
		expect(error?.description).toContain('Check the expressions of this item');
	},
);

test('reads each parameter once an item, however often it is asked for', () => {
	const withN8n = jest.fn((name: string, itemIndex: number) => `${name} of ${itemIndex}`);
	const parametersOf = readerOf({ field0: '={{ $json.list }}' }, [{ list: [] }, { list: [] }], withN8n);
	const read = parametersOf(0);

	expect([read('field0'), read('field0'), parametersOf(1)('field0')]).toEqual([
		'field0 of 0',
		'field0 of 0',
		'field0 of 1',
	]);
	expect(withN8n).toHaveBeenCalledTimes(2);
});

test('leaves to n8n what n8n reads otherwise, for all items of the run', () => {
	const parametersOf = readerOf({ field0: '={{ $json.text }}' }, [{ text: 'a' }, { text: 'b' }], () => 'n8n');

	expect([parametersOf(0)('field0'), parametersOf(1)('field0')]).toEqual(['n8n', 'n8n']);
});

test('leaves values with a getter to n8n', () => {
	const computed = Object.defineProperty({}, 'text', { get: () => 'computed', enumerable: true });
	const items = [{ text: 'anna' }, computed, { text: 'bo' }];
	const parametersOf = readerOf({ field0: '={{ $json.text }}' }, items, (_, item) =>
		item === 0 ? 'anna' : 'left to n8n',
	);

	expect(items.map((_, item) => parametersOf(item)('field0'))).toEqual(['anna', 'left to n8n', 'bo']);
});

function readerOf(
	parameters: INodeParameters,
	items: IDataObject[],
	withN8n: (name: string, item: number) => unknown,
) {
	return createParameterReader(parameters, (item) => items[item], withN8n);
}

function valueOf(name: string): unknown {
	const found = readings.find((reading) => reading.name === name && reading.item === 0);
	return found && 'value' in found.actual ? found.actual.value : undefined;
}
