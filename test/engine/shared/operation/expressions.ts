import fc from 'fast-check';
import cloneDeepWith from 'lodash/cloneDeepWith';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

/** Spreads expressions over open fields, a collection, rows, a locator, a list and a mapper. */
export function parametersWith(expressions: string[]): INodeParameters {
	const [one = '', two = '', three = '', four = '', five = '', six = '', seven = '', eight = '', ...open] =
		expressions;
	return {
		...Object.fromEntries(open.map((expression, index) => [`field${index}`, expression])),
		group: { field0: one, field1: two, field2: 'fixed' },
		rows: { entry: [{ field0: three }, { field0: four }] },
		place: { __rl: true, mode: 'id', value: five, cachedResultName: 'Anna' },
		choices: [six, 4],
		mapper: { mappingMode: 'defineBelow', value: { name: seven, 'a b': eight } },
	} as INodeParameters;
}

const KEYS = [
	'a', 'b', 'text', 'a b', 'a.b', 'a-b', 'é', '名前', 'x"y', "x'y", 'x\\y', 'x\ny', '}}', '{{', '0', '1', '00', '-1',
	'length', 'name', 'class', 'new', 'window', 'global', 'globalThis', 'process', 'this', 'json', 'item', 'isProxy',
	'then', 'toJSON', 'toString', 'valueOf', 'hasOwnProperty', 'constructor', 'constructorName', 'prototype',
	'__proto__', 'caller', 'arguments', 'binding', 'mainModule', '$', '$json', 'undefined', 'Date', 'plus', 'isEmpty',
	'__isObject', '__isArray', '__isError', '__keys', '__n8nType', '__value', '__rl', 'value', '\ud800', '',
]; // prettier-ignore

const LONG = 'long text '.repeat(20_000);

const leaf = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.double(),
	fc.integer(),
	fc.boolean(),
	fc.constantFrom<unknown>(
		...[
			'',
			'={{ 1 + 1 }}',
			'=text',
			'{{ $json.a }}',
			'2026-12-24T18:00:00.000Z',
			'\ud800',
			'a\0b',
			'\u2028',
			LONG,
		],
		...[0, -0, 1e308, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, null, undefined, true],
		...[new Date(0), new Date(Number.NaN)],
	),
);
const key = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom('a', 'b', 'text', 'name', 'a b', 'é', '0') },
	{ weight: 5, arbitrary: fc.constantFrom(...KEYS) },
	{ weight: 1, arbitrary: fc.string() },
);

const item = fc
	.object({ key, values: [leaf], maxDepth: 3, maxKeys: 12 })
	.filter((json) => Object.keys(json).length >= 4) as fc.Arbitrary<IDataObject>;

/** Items with field names and values of every kind; the first one's paths mostly lead to other values in the others. */
export function itemsOf(count: number): fc.Arbitrary<IDataObject[]> {
	const leaves = fc.array(leaf, { minLength: 5, maxLength: 5 });
	const others = fc.array(leaves, { minLength: count - 1, maxLength: count - 1 });
	return fc.tuple(item, others).map(([first, all]) => [first, ...all.map((own) => withLeaves(first, own))]);
}

function withLeaves(json: IDataObject, leaves: readonly unknown[]): IDataObject {
	let index = 0;
	return cloneDeepWith(json, (value: unknown) =>
		isNested(value) ? undefined : leaves[index++ % leaves.length],
	) as IDataObject;
}

const isNested = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && !(value instanceof Date);

/** Mostly paths that lead somewhere in the first item, written in every way, and what is more than a path. */
export function expressionFor([first]: IDataObject[]): fc.Arbitrary<string> {
	const known = pathsOf(first);
	const path = fc.oneof(
		{ weight: 8, arbitrary: fc.constantFrom(...(known.length > 0 ? known : [['a']])) },
		{ weight: 1, arbitrary: fc.array(key, { minLength: 1, maxLength: 3 }) },
	);
	const written = path.chain((steps) => fc.tuple(...steps.map(stepFor)).map((parts) => parts.join('')));
	const around = fc.oneof(
		{ weight: 10, arbitrary: fc.constantFrom('={{ # }}', '={{#}}', '={{\n\t#\n}}', '={{  #}}') },
		{
			weight: 3,
			arbitrary: fc.constantFrom(
				...[
					'={{ # }} ',
					'= {{ # }}',
					'=Dear {{ # }}',
					'={{ # }}{{ # }}',
					'={{ #; }}',
					'={{ # // note\n}}',
					'={{ /* a */ # }}',
				],
				...[
					'={{ (#) }}',
					'={{ #.length }}',
					'={{ #.toString() }}',
					'={{ # + "" }}',
					'={{ typeof # }}',
					'={{ [#] }}',
					'={{ { a: # } }}',
				],
				...[
					'={{ # ?? "none" }}',
					'={{ #.isEmpty() }}',
					'={{ `${#}` }}',
					'={{ !# }}',
					'{{ # }}',
					'={{ #',
					'={{ \u00a0# }}',
				],
			),
		},
	);
	const root = fc.oneof(
		{ weight: 12, arbitrary: fc.constant('$json') },
		{
			weight: 1,
			arbitrary: fc.constantFrom(
				'$input.item.json',
				'$data',
				"$('Before').item.json",
				'$node["Before"].json',
				'$JSON',
				' $json',
			),
		},
	);
	return fc
		.tuple(around, root, written)
		.map(([template, start, steps]) => template.replaceAll('#', () => `${start}${steps}`));
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
	if (!isNested(value)) return path.length > 0 ? [path] : [];
	return Object.entries(value).flatMap(([name, entry]) => pathsOf(entry, [...path, name]));
}

function stepFor(name: string): fc.Arbitrary<string> {
	const quoted = [
		JSON.stringify(name),
		`'${name.replace(/[\\'\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}'`,
	];
	const brackets = quoted.flatMap((text) => [`[${text}]`, `?.[${text}]`]);
	const dots = /^[A-Za-z_$é名][\w$前]*$/.test(name) ? [`.${name}`, `.${name}`, `?.${name}`, ` .${name}`] : [];
	const index = /^\d+$/.test(name) ? [`[${name}]`, `?.[${name}]`, `[${name}.0]`] : [];
	return fc.constantFrom(...dots, ...index, ...brackets, `[${quoted[0] ?? ''} ]`);
}

const ownNames = JSON.parse(
	'{"__proto__": {"a": "own"}, "constructor": "own", "toString": "own"}',
) as IDataObject;

/** The item before, for which n8n and the direct reading agree. */
export const ORDINARY: IDataObject = { a: 'anna', length: 1, constructorName: 'a', toString: 'own' };

/** Where reading directly could have differed. */
export const AWKWARD: Record<string, [expression: string, json: IDataObject]> = {
	'a text that looks like an expression': ['={{ $json.a }}', { a: '={{ 1 + 1 }}' }],
	'a text with brackets': ['={{ $json.a }}', { a: '{{ $json.b }}' }],
	'an unpaired surrogate': ['={{ $json.a }}', { a: 'x\ud800' }],
	'a whole surrogate pair': ['={{ $json.a }}', { a: '🍽️' }],
	'a null character': ['={{ $json.a }}', { a: 'a\0b' }],
	'negative zero': ['={{ $json.a }}', { a: -0 }],
	'no number': ['={{ $json.a }}', { a: Number.NaN }],
	infinity: ['={{ $json.a }}', { a: Number.NEGATIVE_INFINITY }],
	'a large number': ['={{ $json.a }}', { a: 2 ** 53 + 2 }],
	'a very long text': ['={{ $json.a }}', { a: LONG }],
	'a global name': ['={{ $json.globalThis }}', { globalThis: 4 }],
	'a Date': ['={{ $json.a }}', { a: new Date(0) as never }],
	null: ['={{ $json.a }}', { a: null }],
	undefined: ['={{ $json.a }}', { a: undefined }],
	'an object': ['={{ $json.a }}', { a: { b: 1 } }],
	'a list': ['={{ $json.a }}', { a: [1, 2] }],
	"a list's length": ['={{ $json.a.length }}', { a: [1, 2] }],
	"a text's length": ['={{ $json.a.length }}', { a: 'anna' }],
	'a field named length': ['={{ $json.length }}', { length: 3 }],
	"a text's first letter": ['={{ $json.a[0] }}', { a: 'anna' }],
	'a field of the prototype': ['={{ $json.toString }}', {}],
	'an own field named toString': ['={{ $json.toString }}', ownNames],
	'an own field named __proto__': ['={{ $json.__proto__.a }}', ownNames],
	'an own field named constructor': ['={{ $json["constructor"] }}', ownNames],
	'a field whose name begins with constructor': ['={{ $json.constructorName }}', { constructorName: 'a' }],
	'a missing field': ['={{ $json.b }}', { a: 1 }],
	'a field of a missing field': ['={{ $json.b.c }}', { a: 1 }],
	'an optional field of a missing field': ['={{ $json.b?.c }}', { a: 1 }],
	'a hole in a list': ['={{ $json.a[0] }}', { a: Array.of<number>().concat(new Array<number>(2)) }],
	'an index past the end': ['={{ $json.a[2] }}', { a: [1] }],
	'an index with a leading zero': ['={{ $json.a["00"] }}', { a: [1] }],
	'a negative index': ['={{ $json.a[-1] }}', { a: [1] }],
	'a trailing blank': ['={{ $json.a }} ', { a: 4 }],
	'a comment': ['={{ $json.a // the guest\n}}', { a: 4 }],
	'an item without data': ['={{ $json.a }}', {}],
};
