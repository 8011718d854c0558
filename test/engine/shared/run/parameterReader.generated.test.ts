import { isDeepStrictEqual } from 'node:util';
import chunk from 'lodash/chunk';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
} from 'n8n-workflow';

import { createParameterReader } from '../../../../nodes/shared/run/parameterReader';
import { generated } from '../../../support/thorough';
import { createEngine, type Engine } from '../../support/engine';
import { type ExpressionEngineName, useExpressionEngine } from '../../support/host';
import { plainDescription } from '../../support/nodeTypes';
import { credentialsAt } from '../../support/server';
import { fc } from '../../../support/property';

const property = (name: string, rest: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: name,
	name,
	type: 'string',
	default: '',
	...rest,
});
const fields = Array.from({ length: 24 }, (_, index) => property(`field${index}`));
const form = [
	...fields,
	property('group', { type: 'collection', default: {}, options: fields }),
	property('rows', {
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		default: {},
		options: [{ displayName: 'Row', name: 'entry', values: fields }],
	}),
	property('place', { type: 'resourceLocator', default: { mode: 'id', value: '' } }),
	property('choices', { type: 'multiOptions', default: [], options: [] }),
	property('mapper', { type: 'resourceMapper', default: {} }),
];

/** Names that the workflow does not hold. */
const ABSENT = ['notOnTheForm', 'group.notThere'];

/** Spreads expressions over a collection, rows, a locator, a list, a mapper and open fields. */
function parametersWith([
	one = '',
	two = one,
	three = one,
	four = one,
	five = one,
	...open
]: string[]) {
	return {
		group: { field0: one, field1: two, field2: 'fixed' },
		rows: { entry: [{ field0: two }, { field0: three }] },
		place: { __rl: true, mode: 'id', value: three, cachedResultName: 'Anna' },
		choices: [four, 4],
		mapper: { mappingMode: 'defineBelow', value: { name: five, 'a b': one } },
		...Object.fromEntries([one, ...open].map((expression, index) => [`field${index}`, expression])),
	} as INodeParameters;
}

/** A parameter of an item, read by n8n on its own and as the nodes read it; what was thrown as its message. */
let readings: Array<{ name: string; item: number; expected: unknown; actual: unknown }> = [];
/** Parameters that were left to n8n. */
let leftToN8n = 0;
let engine: Engine;

const outcome = (read: () => unknown): unknown => {
	try {
		return { value: read() };
	} catch (error) {
		return (error as Error).message;
	}
};

useExpressionEngine('vm');

beforeAll(async () => {
	engine = await createEngine({});
	engine.nodeTypes.add('test.reading', {
		description: { ...plainDescription('reading'), properties: form },
		async execute(this: IExecuteFunctions) {
			const items = this.getInputData();
			const { parameters } = this.getNode();
			const withN8n = (name: string, item: number) =>
				this.getNodeParameter(name, item, '', { skipValidation: true }) as unknown;
			const parametersOf = readerOf(
				parameters,
				items.map(({ json }) => json),
				(...given) => (leftToN8n++, withN8n(...given)),
			);
			for (const item of items.keys()) {
				const read = parametersOf(item);
				for (const name of [...Object.keys(parameters), 'group.field1', ...ABSENT]) {
					const expected = outcome(() => withN8n(name, item));
					readings.push({ name, item, expected, actual: outcome(() => read(name)) });
				}
			}
			return [items];
		},
	});
});

function readerOf(
	parameters: INodeParameters,
	items: IDataObject[],
	withN8n: (name: string, item: number) => unknown,
) {
	return createParameterReader(parameters, (item) => items[item], withN8n);
}

async function expectAsN8n(parameters: INodeParameters, items: IDataObject[]): Promise<void> {
	readings = [];
	leftToN8n = 0;
	const { error } = await engine.execute({ node: 'test.reading', parameters, items });
	expect(error).toBeUndefined();
	expect(readings.filter(({ expected, actual }) => !isDeepStrictEqual(expected, actual))).toEqual(
		[],
	);
}

const PLAIN = `{{ $json.text }}
{{$json.text}}
{{\t$json.text\t}}
{{ $json?.deep?.number }}
{{ $json["a b"] }}
{{ $json?.['a b'] }}
{{ $json.list[1].name }}`.split('\n');

const OTHERS = `{{ $json.text }}\u0020
 {{ $json.text }}
Dear {{ $json.text }}
{{ $json.text }}{{ $json.text }}
{{ $json.text; }}
{{ ($json.text) }}
{{ [$json.text] }}
{{ { a: $json.text } }}
{{ /* a */ $json.text }}
{{ $json.text ?? "none" }}
{{ $json.text.isEmpty() }}
{{ $json.text
{{ \u00a0$json.text }}
{{ $JSON.text }}
{{ $json .text }}
{{ $json["a b"\u00a0] }}
{{ $json[\`text\`] }}
{{ $json.list[01].name }}
{{ $json.list["1"].name }}
{{ $json.list[-1] }}
{{ $json.list[9] }}
{{ $json.list[1.0].name }}
{{ $json.list.length }}
{{ $json.text.length }}
{{ $json.text[0] }}
{{ $json.none }}
{{ $json.none.more }}
{{ $json.none?.more }}
{{ $json.deep }}
{{ $input.item.json.text }}
{{ $('Before').item.json.text }}
{{ $node["Before"].json.text }}`.split('\n');

const NAMES = ['a.b', 'x"y', "x'y", 'x\\y', 'x\ny', '}}', '\ud800', ''].concat(
	`é 名前 0 00 -1 length class globalThis process this json item then toJSON toString hasOwnProperty constructor
	constructorName prototype __proto__ arguments $json undefined Date isEmpty __isObject __isArray __isError __keys
	__n8nType __value __rl value`.split(/\s+/),
);

const textual = fc.constantFrom(
	'',
	'={{ 1 }}',
	'{{ $json.a }}',
	'\ud800',
	'🍽️',
	'a\0b',
	'\u2028',
	'x'.repeat(200_000),
);
const numeric = fc.constantFrom(-0, 1e308, 2 ** 53 + 2, Number.NaN, Number.NEGATIVE_INFINITY);
const others = fc.constantFrom(
	null,
	undefined,
	true,
	new Date(0),
	new Date(Number.NaN),
	{ b: 1 },
	[1, 2],
	[],
);
const value = fc.oneof(
	textual,
	numeric,
	others,
	fc.string({ unit: 'binary' }),
	fc.double(),
	fc.integer(),
);

const itemWith = (own: unknown) => {
	const named = [...NAMES, 'text', 'a b'].map((name) => [name, own] as const);
	return {
		...Object.fromEntries(named),
		deep: { number: own },
		list: [{}, { name: own }],
	} as IDataObject;
};

describe.each(generated<ExpressionEngineName[]>(['vm'], ['vm', 'legacy', 'quickjs']))(
	'with the engine %s',
	(name) => {
		useExpressionEngine(name);

		const ofNames = NAMES.flatMap((own) => [
			`{{ $json[${JSON.stringify(own)}] }}`,
			`{{ $json.${own} }}`,
		]);

		it.each(chunk([...PLAIN, ...OTHERS, ...ofNames], 28))(
			'reads %s and 27 others as n8n does',
			async (...written) => {
				const expressions = written.map((one) => `=${one}`);
				await expectAsN8n(
					parametersWith(expressions),
					['anna', 'bo', 7, true].map(itemWith).concat({}),
				);
			},
		);

		it('reads any value behind a path as n8n does', async () => {
			const items = ['anna', ...fc.sample(value, generated(200, 1_000))].map(itemWith);
			await expectAsN8n(parametersWith(PLAIN.slice(2).map((one) => `=${one}`)), items);
		});
	},
);

test.each(PLAIN)('reads %s from the input item once n8n has read it the same', async (written) => {
	await expectAsN8n(parametersWith([`=${written}`]), ['', '', ''].map(itemWith));
	expect(leftToN8n).toBe(new Set(readings.map(({ name }) => name)).size - ABSENT.length);
});

test.each(
	`$json.seats.pop()
$json.tags.sort()[0]
++$json.visits
delete $json.visits
$json.visits.plus(1)
Object.keys($json).length
$if($json.visits > 1, "many", "one")
$json.visits +
1), (2
$('Nowhere').item.json.text`.split('\n'),
)('reads %s as n8n does, and the expressions beside it', async (inner) => {
	const beside = [
		'$json.seats.length',
		'$json.tags[0]',
		'$json.visits',
		'$json.names?.[$itemIndex] ?? 0',
	];
	const expressions = [inner, inner, ...beside, ...beside].map((one) => `={{ ${one} }}`);
	const item = () => ({ seats: [4, 2], tags: ['b', 'a'], visits: 1, names: ['anna', 'bo'] });
	await expectAsN8n(parametersWith(expressions), [item(), item()]);
});

test.each(['() => 1', 'Symbol("x")'])(
	'passes on what n8n says of %s, with the item and what to check',
	async (inner) => {
		const own = await createEngine(credentialsAt('http://127.0.0.1:9'));
		const parameters = {
			resource: 'checkoutBooking',
			operation: 'cancelToBeInvoiced',
			alias: `={{ ${inner} }}`,
		};
		const { error } = await own.execute({ node: 'hospitalityBooking', parameters });

		expect(error?.message).toContain('[item 0]');
		expect(error?.description).toContain('Check the expressions of this item');
	},
);

test('never sees a collection that is one expression: n8n leaves it out', async () => {
	const parameters = { group: '={{ $json.group }}', rows: '={{ $json.rows }}' };
	await expectAsN8n(parameters, [{ group: { field0: 'a' }, rows: { entry: [{ field0: 'b' }] } }]);

	const wholes = readings.filter(({ name }) => name in parameters).map(({ actual }) => actual);
	expect(wholes).toEqual([{ value: {} }, { value: {} }]);
});

test('asks n8n for each parameter once an item, however often it is read', () => {
	const withN8n = jest.fn((name: string, item: number) => `${name} of ${item}`);
	const parametersOf = readerOf({ field0: '={{ $json.list }}' }, [{}, {}], withN8n);
	const read = parametersOf(0);

	expect(['field0', 'field0'].map(read)).toEqual(['field0 of 0', 'field0 of 0']);
	expect(parametersOf(1)('field0')).toBe('field0 of 1');
	expect(withN8n).toHaveBeenCalledTimes(2);
});

test.each([
	['leaves to n8n what n8n has not read the same', 'other', ['other', 'n8n', 'n8n']],
	['leaves values with a getter to n8n', 'anna', ['anna', 'n8n', 'bo']],
])('%s', (_, first, expected) => {
	const computed = Object.defineProperty({}, 'text', { get: () => 'computed' });
	const items = [{ text: 'anna' }, computed, { text: 'bo' }];
	const withN8n = (__: string, item: number) => (item === 0 ? first : 'n8n');
	const parametersOf = readerOf({ field0: '={{ $json.text }}' }, items, withN8n);

	expect(items.map((__, item) => parametersOf(item)('field0'))).toEqual(expected);
});
