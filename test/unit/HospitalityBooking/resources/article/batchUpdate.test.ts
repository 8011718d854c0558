import fc from 'fast-check';
import { CallError, type CallFailure } from '../../../../../nodes/shared/errors/failure';
import { toNodeError } from '../../../../../nodes/shared/errors/nodeErrors';
import type { INode } from 'n8n-workflow';
import { planBatches } from '../../../../../nodes/HospitalityBooking/resources/article/batchUpdate.run';
import type { PreparedItem, Run } from '../../../../../nodes/shared/operation/operation';

const node = { name: 'Articles', type: 'x', parameters: {} } as unknown as INode;

/** Items with so many articles each, of the same company and brand unless another is named. */
const itemsWith = (counts: readonly number[], path = '/a') =>
	counts.map((count) => ({
		item: {},
		request: { path, body: { items: Array.from({ length: count }, () => ({ articleId: 'id' })) } },
	})) as unknown as PreparedItem[];
const sizesOf = (items: readonly PreparedItem[]) =>
	[...planBatches(items, {} as Run)].map(({ changes }) => changes.length);

test.each([
	[Array(50).fill(1), [50]],
	[Array(51).fill(1), [50, 1]],
	[
		[30, 30, 20],
		[30, 50],
	],
	[
		[50, 1],
		[50, 1],
	],
])(
	'articles of items %j go out in calls of %j: whole items, at most 50',
	(counts: number[], sizes) => {
		expect(sizesOf(itemsWith(counts))).toEqual(sizes);
	},
);

test('each company and brand has calls of its own', () => {
	expect(sizesOf([...itemsWith([1, 1]), ...itemsWith([1], '/b')])).toEqual([2, 1]);
});

/** A service that refuses a call as a whole when one of its articles is bad, and says which, if it is talkative. */
function serviceThatRefuses(
	bad: ReadonlySet<number>,
	says: 'all' | 'first' | 'none',
	breaksAt = Infinity,
	failure: CallFailure = { kind: 'connection', code: 'ECONNRESET' },
) {
	const calls: number[][] = [];
	const call = async ({ body: { items } }: { body: { items: Array<{ number: number }> } }) => {
		if (calls.push(items.map(({ number }) => number)) === breaksAt)
			throw toNodeError({ node, action: 'Update' }, new CallError(failure));
		const refused = [...items.entries()].filter(([, { number }]) => bad.has(number));
		if (refused.length === 0) return { status: 200, headers: {}, body: { items } };
		const named = refused.slice(0, { all: refused.length, first: 1, none: 0 }[says]);
		const fields = named.map(([place]) => ({ field: `items[${place}].name`, message: 'Bad' }));
		const said = { text: 'Some were refused', fields };
		throw toNodeError(
			{ node, action: 'Update' },
			new CallError({ kind: 'status', status: 400, said }),
		);
	};
	return { call, calls };
}

const NAMED = { context: { service: { field: 'name', errorId: 'Bad' } } };

/** Updates 50 articles with 'Set Rejected Articles Aside', each of an item of its own. */
async function updateFifty(
	bad: readonly number[],
	...more: [says: 'all' | 'first' | 'none', breaksAt?: number, failure?: CallFailure]
) {
	const { call, calls } = serviceThatRefuses(new Set(bad), ...more);
	const items = Array.from({ length: 50 }, (_, number) => ({
		item: { node, action: 'Update', itemIndex: number, getParameter: () => 'setAside' },
		request: { path: '/a', body: { items: [{ articleId: `id${number}`, number }] } },
		shape: (record: unknown) => record,
	})) as unknown as PreparedItem[];
	const run = { account: { call }, signal: new AbortController().signal } as unknown as Run;
	const outcomes = [];
	for (const planned of planBatches(items, run)) outcomes.push(...(await planned.send()));
	return { outcomes, calls };
}

test('every good article is applied once and every named one set aside, all at once or one after the other', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.uniqueArray(fc.nat(49), { maxLength: 50 }),
			fc.constantFrom<'all' | 'first'>('all', 'first'),
			async (bad, says) => {
				const { outcomes, calls } = await updateFifty(bad, says);

				expect(outcomes.map(({ itemIndex }) => itemIndex)).toEqual([...Array(50).keys()]);
				for (const outcome of outcomes)
					expect(outcome).toMatchObject(
						bad.includes(outcome.itemIndex)
							? { isSetAside: true, details: { articleId: `id${outcome.itemIndex}` }, error: NAMED }
							: { records: [{ number: outcome.itemIndex }] },
					);
				expect(calls.length).toBeLessThanOrEqual({ all: 2, first: bad.length + 1 }[says]);
			},
		),
		{ numRuns: 60 },
	);
});

test('none is updated, by one call, where the service names none of those that it rejects', async () => {
	const { outcomes, calls } = await updateFifty([3], 'none');

	expect(calls).toHaveLength(1);
	expect(outcomes).toHaveLength(50);
	const message = 'The service rejected a call with 50 articles (400) – Update [items 0–49]';
	const error = { message, description: expect.stringContaining('Some were refused') as string };
	for (const outcome of outcomes) {
		const details = { articleId: `id${outcome.itemIndex}` };
		expect(outcome).toMatchObject({ isConsequence: true, error, details });
	}
});

test.each([403, 500])(
	'a rejected batch is not assumed for status %i: it fails as a whole, after one call',
	async (status) => {
		const { outcomes, calls } = await updateFifty([3], 'all', 1, { kind: 'status', status });

		expect(calls).toHaveLength(1);
		const error = { message: expect.stringContaining(`(${status})`) as string };
		expect(outcomes).toEqual(
			Array(50).fill(expect.objectContaining({ error: expect.objectContaining(error) as object })),
		);
	},
);

test.each([
	['in whatever order and letter case', ['C', 'A', 'b'], ['A', 'b', 'C']],
	['where the service does not mention one', ['b'], ['a', 'b', 'c']],
])('each item gets its own article of the response: %s', async (_, answered, articleIds) => {
	const items = ['a', 'b', 'c'].map((articleId, itemIndex) => ({
		item: { node, action: 'Update', itemIndex, getParameter: () => 'fail' },
		request: { path: '/a', body: { items: [{ articleId }] } },
		shape: (record: unknown) => record,
	})) as unknown as PreparedItem[];
	const call = jest.fn(async (_request: unknown) => ({
		body: { items: answered.map((articleId) => ({ articleId })) },
	}));
	const run = { account: { call }, signal: new AbortController().signal } as unknown as Run;
	const [planned] = planBatches(items, run);

	expect(await planned?.send()).toMatchObject(
		articleIds.map((articleId, itemIndex) => ({ itemIndex, records: [{ articleId }] })),
	);
	expect(call.mock.lastCall?.[0]).toMatchObject({ record: 'article a and 2 more' });
});

test('what was named stays set aside where the call with the others breaks, which then have its error', async () => {
	const { outcomes, calls } = await updateFifty([3], 'all', 2);

	expect(calls.map(({ length }) => length)).toEqual([50, 49]);
	for (const outcome of outcomes) {
		const isNamed = outcome.itemIndex === 3;
		const message = expect.stringContaining(
			isNamed ? 'rejected the article in row 4' : 'broke (ECONNRESET)',
		) as string;
		expect(outcome).toMatchObject({ error: { message } });
		expect('isSetAside' in outcome).toBe(isNamed);
	}
});
