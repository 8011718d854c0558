import range from 'lodash/range';
import { type INode, NodeOperationError, type OnError } from 'n8n-workflow';

import { customers } from '../../../../nodes/shared/booking/outputColumns';
import { OmittedData } from '../../../../nodes/shared/operation/omitted';
import { outputForTool, showHint } from '../../../../nodes/shared/run/reportOmitted';
import { ItemResults } from '../../../../nodes/shared/run/itemResults';
import { recordShaper } from '../../../../nodes/shared/operation/output';
import { readLimit } from '../../../../nodes/shared/operation/nodeForm';

const node: INode = {
	id: '1',
	name: 'Node',
	type: 'x',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const outcomesOf = (count: number, onError?: OnError) =>
	new ItemResults(
		{ continueOnFail: () => onError !== undefined, getNode: () => ({ ...node, onError }) },
		count,
	);
const refused = (what = 'It was refused') =>
	new NodeOperationError(node, what, { description: 'Check it' });

test('a later success of another part does not overwrite the failure of an item', () => {
	const outcomes = outcomesOf(2);
	outcomes.add({ itemIndex: 0, error: refused(), isSetAside: true });
	outcomes.add({ itemIndex: 0, records: [{ id: 1 }] });
	outcomes.add({ itemIndex: 1, records: [{ id: 2 }] });

	expect(() => outcomes.result()).toThrow(
		'Of the other items, 1 succeeded, 0 failed and 0 had not started',
	);
});

test('the first failure of an item is the one that the run ends with', () => {
	const outcomes = outcomesOf(1);
	outcomes.add({ itemIndex: 0, error: refused('first') });
	outcomes.add({ itemIndex: 0, error: refused('second') });

	expect(() => outcomes.result()).toThrow(/^first/);
});

test('a run ends with what failed by itself, not with what failed because of it', () => {
	const outcomes = outcomesOf(3);
	const cause = refused('the cause');
	outcomes.add({ itemIndex: 0, error: refused('a consequence'), isConsequence: true });
	outcomes.add({ itemIndex: 1, error: cause });

	outcomes.add({ itemIndex: 2, records: [] });
	expect(() => outcomes.result()).toThrow(/^the cause/);
	expect(cause.description).toContain('with items 0–1 only');
});

test('a list of failures of their own ends before it is too long, and names the items of the rest', () => {
	const outcomes = outcomesOf(100);
	for (const itemIndex of range(100)) {
		const error = refused(`Item ${itemIndex} has ${'a long reason '.repeat(10)}`);
		outcomes.add({ itemIndex, error, isSetAside: true });
	}

	expect(() => outcomes.result()).toThrow(/; others in items \d+–99$/);
	expect(() => outcomes.result()).not.toThrow(/.{10000}/);
});

test('of several items that failed, the run ends with the first by number, and lists no more than ten ranges of those left', () => {
	const outcomes = outcomesOf(30);
	for (const itemIndex of range(3, 30, 2)) outcomes.add({ itemIndex, records: [] });
	const first = refused('first');
	outcomes.add({ itemIndex: 2, error: refused('second') });
	outcomes.add({ itemIndex: 0, error: first });

	expect(() => outcomes.result()).toThrow(first);
	expect(first.description).toContain('with items 0–2, 4, 6, 8, 10, 12, 14, 16, 18, 20, … only');
});

test('what was set aside does not end the run, any other failure does', () => {
	const outcomes = outcomesOf(3);
	expect(outcomes.add({ itemIndex: 0, error: refused('aside'), isSetAside: true })).toBe(false);
	expect(outcomes.add({ itemIndex: 1, records: [] })).toBe(false);
	expect(outcomes.add({ itemIndex: 2, error: refused('stop') })).toBe(true);
	expect(() => outcomes.result()).toThrow(/^stop\./);
});

test("the message of a stop begins with why not to use n8n's Retry, and says which items are left", () => {
	const outcomes = outcomesOf(6);
	for (const itemIndex of [0, 1, 3]) outcomes.add({ itemIndex, records: [] });
	const error = refused();
	outcomes.add({ itemIndex: 2, error });
	outcomes.add({ itemIndex: 4, error: refused() });

	expect(() => outcomes.result()).toThrow(error);
	expect(error.message).toMatch(/Of the other items, 3 succeeded, 1 failed and 1 had not started$/);
	expect(error.description).toMatch(
		/^Do not use n8n's 'Retry': it repeats what succeeded\. To continue, .* with items 2, 4–5 only.*\. Check it/,
	);
	expect(error.description).toContain("'Continue (using error output)'");
});

test('the message of a stop before anything succeeded says nothing of Retry, with one full stop between sentences', () => {
	const outcomes = outcomesOf(2);
	const error = new NodeOperationError(node, 'No', { description: 'Check it.' });
	outcomes.add({ itemIndex: 0, error });

	expect(() => outcomes.result()).toThrow(error);
	expect(error.description).toMatch(/^Check it\. With/);
});

test('the message of a stop of the only item speaks of no others', () => {
	const outcomes = outcomesOf(1);
	const error = refused();
	outcomes.add({ itemIndex: 0, error });

	expect(() => outcomes.result()).toThrow(error);
	expect(error).toMatchObject({ message: 'It was refused', description: 'Check it' });
});

test.each([
	['nmae,id', "'Fields' is not one of the allowed values", /^Allowed: .*\bid\b/],
	[['altogether'], "'Fields' is not one of the allowed values", /^Allowed: /],
	[[], "'Fields' is empty", /^Choose at least one field/],
])(
	"no field, or one that the records do not have, is refused under 'Fields': %j",
	(fields, happened, hint) => {
		const shape = () =>
			recordShaper(
				{ node, getParameter: (name) => (name === 'output' ? 'selected' : fields) },
				customers,
				{ timeZone: 'UTC', language: 'en-GB', statusRoles: {} },
			);
		expect(shape).toThrow(
			expect.objectContaining({
				message: expect.stringContaining(happened),
				description: expect.stringMatching(hint),
			}),
		);
	},
);

test('as many records of an item come out as a response can hold', () => {
	const outcomes = outcomesOf(1);
	outcomes.add({ itemIndex: 0, records: Array.from({ length: 300_000 }, (_, id) => ({ id })) });
	expect(outcomes.result()).toHaveLength(300_000);
});

describe('what a run left out', () => {
	it.each<[Partial<Pick<OmittedData, 'records' | 'mayHaveMore'>>, string[], string]>([
		[{}, [], ''],
		[
			{ records: 7, mayHaveMore: true },
			[],
			"Records left out by 'Limit': at least 7. Raise it or switch on 'Return All'.",
		],
		[
			{ mayHaveMore: true },
			[],
			"'Limit' was reached, there may be more records. Raise it or switch on 'Return All'.",
		],
		[
			{},
			['stock', '<b>', 'stock'],
			'Columns that were not sent, as no field has their name: stock, ‹b›.',
		],
		[
			{},
			['note'.repeat(500)],
			`Columns that were not sent, as no field has their name: ${'note'.repeat(125).slice(0, -1)}….`,
		],
	])('of %j and the columns %j is told once', (records, columns, told) => {
		const omitted = Object.assign(new OmittedData(), records);
		for (const column of columns) omitted.addColumn(column);
		const shown: string[] = [];
		const hint = omitted.describe([]);
		showHint({ addExecutionHints: ({ message }) => void shown.push(message) }, hint);

		expect(shown).toEqual(told === '' ? [] : [told]);
		// An n8n that has no hints.
		expect(() => showHint({}, hint)).not.toThrow();
	});
});

test.each([
	[0, 'there may be more records'],
	[7, "left out by 'Limit': at least 7."],
])('an agent is not told a number of records that nobody knows: %d and others', (records, note) => {
	const omitted = Object.assign(new OmittedData(), { records, mayHaveMore: true });

	expect(outputForTool([], omitted, []).map(({ json }) => json)).toEqual([
		{ note: expect.stringContaining(note) },
	]);
});

test.each([
	[{}, 50],
	[{ limit: 7 }, 7],
	[{ limit: 7, returnAll: false }, 7],
	[{ limit: 7, returnAll: true }, Infinity],
	[{ limit: 'x', returnAll: 'TRUE' }, Infinity],
])('%j asks for at most %p records', (parameters, limit) => {
	const getParameter = (name: string) => (parameters as Record<string, unknown>)[name];
	expect(readLimit({ node: { ...node, parameters }, getParameter })).toBe(limit);
});

test.each<[INode['parameters'], string]>([
	[{ returnAll: 'all' }, "'Return All' is not true or false ('all')"],
	[{ limit: 0 }, "'Limit' is 0"],
	[{ limit: 2.5 }, "'Limit' is 2.5"],
	[{ limit: 'x', returnAll: 'false' }, "'Limit' is not a number ('x')"],
])('%j is refused by name', (parameters, said) => {
	expect(() =>
		readLimit({ node: { ...node, parameters }, getParameter: (name) => parameters[name] }),
	).toThrow(said);
});
