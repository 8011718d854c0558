import { createParameterReader } from '../../../../nodes/shared/run/parameterReader';

const EXPRESSION = '={{ $json.name }}';

/** Reads a parameter of three items, and counts how often n8n reads it: always for the first, to compare. */
function readThree(names: readonly unknown[]): { values: unknown[]; byN8n: number } {
	let byN8n = 0;
	const reader = createParameterReader(
		{ name: EXPRESSION },
		(item) => ({ name: names[item] }),
		(_parameter, item) => {
			byN8n++;
			return names[item];
		},
	);
	const values = [0, 1, 2].map((item) => reader(item)('name'));
	return { values, byN8n };
}

test.each([[['Anna', 'Åsa', '']], [[1, 0, -1.5]], [[true, false, true]], [['Anna', '👍🏽', 'é']]])(
	'n8n reads a plain path once for all items: %j',
	(names) => {
		expect(readThree(names)).toEqual({ values: names, byN8n: 1 });
	},
);

test.each([
	'\ud83d',
	'a\udc4d',
	'a\0b',
	Number.NaN,
	Infinity,
	null,
	undefined,
	{ first: 'Anna' },
	['Anna'],
	10n,
])('n8n itself reads what could come out differently: %p', (value) => {
	const names = ['Anna', value, value];

	expect(readThree(names)).toEqual({ values: names, byN8n: 3 });
});

test.each([
	{ what: 'inherited', json: Object.create({ name: 'inherited' }) as object },
	{
		what: 'computed',
		json: Object.defineProperty({}, 'name', { get: () => 'computed', enumerable: true }),
	},
])('n8n itself reads what is $what', ({ json }) => {
	const items: object[] = [{ name: 'Anna' }, json];
	const reader = createParameterReader(
		{ name: EXPRESSION },
		(item) => items[item],
		(_parameter, item) => (item === 0 ? 'Anna' : 'by n8n'),
	);
	reader(0)('name');

	expect(reader(1)('name')).toBe('by n8n');
});

test('n8n is not asked for a parameter that the workflow does not contain: it is empty', () => {
	const byN8n = jest.fn();
	const reader = createParameterReader({ name: EXPRESSION }, () => ({}), byN8n);

	expect(reader(0)('options.system')).toBe('');
	expect(byN8n).not.toHaveBeenCalled();
});
