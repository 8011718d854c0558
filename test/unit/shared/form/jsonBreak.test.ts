import { findJsonBreak } from '../../../../nodes/shared/form/jsonBreak';
import { expectLinear } from '../../../support/cpu';
import { fc } from '../../../support/property';

const isJson = (text: string): boolean => {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
};

test.each([
	{ text: '', line: 1, column: 1, expected: /^a value/ },
	{ text: '{"a" 1}', line: 1, column: 6, expected: /^a colon$/ },
	{ text: '{"a": }', line: 1, column: 7, expected: /^a value/ },
	{ text: '{"a": 1,}', line: 1, column: 9, expected: /^a name in quotes$/ },
	{ text: '{a: 1}', line: 1, column: 2, expected: /^a name in quotes or }$/ },
	{ text: '{"a": 1\n\n  "b": 2}', line: 3, column: 3, expected: /^a comma or }$/ },
	{ text: '[1 2]', line: 1, column: 4, expected: /^a comma or ]$/ },
	{ text: '[1,]', line: 1, column: 4, expected: /^a value/ },
	{ text: '[,]', line: 1, column: 2, expected: /^a value.* or ]$/ },
	{ text: '[01]', line: 1, column: 3, expected: /^a comma or ]$/ },
	{ text: '{"a": "one\ntwo"}', line: 1, column: 7, expected: /^a text that ends with a quote/ },
	{ text: String.raw`["C:\dir"]`, line: 1, column: 2, expected: /^a text that ends with a quote/ },
	{ text: '{} {}', line: 1, column: 4, expected: /^nothing more$/ },
	{ text: '[[1]', line: 1, column: 5, expected: /^a comma or ]$/ },
])('$text breaks at line $line, column $column', ({ text, line, column, expected }) => {
	expect(findJsonBreak(text)).toEqual({
		line,
		column,
		expected: expect.stringMatching(expected) as string,
	});
});

test('a text breaks where, and only where, JavaScript refuses it', () => {
	const pieces = fc.constantFrom(
		...['{', '}', '[', ']', ':', ',', '"', '\\', '\n', ' ', '\u00a0', '\t', '"a"', '"\\u00e5"'],
		...['0', '1', '-', '.5', 'e3', 'true', 'null', 'nul', 'é', '\ud83d', '""', '"\\x"', '{}', '[]'],
	);
	const texts = fc.oneof(
		fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
		fc.json(),
		fc.tuple(fc.json(), fc.nat(), pieces).map(([json, at, piece]) => {
			const place = at % (json.length + 1);
			return json.slice(0, place) + piece + json.slice(place);
		}),
	);

	fc.assert(
		fc.property(texts, (text) => {
			expect(findJsonBreak(text) === undefined).toBe(isJson(text));
		}),
		{ numRuns: 2_000 },
	);
});

test.each([
	{ what: 'before a mistake', text: (length: number) => `{ "image": "${'x'.repeat(length)}", }` },
	{ what: 'that does not end', text: (length: number) => `{ "image": "${'x'.repeat(length)}` },
	{
		what: 'of escapes that does not end',
		text: (length: number) => `{ "image": "${'\\"'.repeat(length)}`,
	},
])('a long text $what takes no longer than its length', async ({ text }) => {
	const short = text(500_000);
	const long = text(2_000_000);

	expect(findJsonBreak(long)).toMatchObject({ line: 1 });
	await expectLinear(
		() => findJsonBreak(short),
		() => findJsonBreak(long),
		4,
	);
});
