import { CallError, type CallFailure } from '../../../../../nodes/shared/errors/failure';
import { toNodeError } from '../../../../../nodes/shared/errors/nodeErrors';
import type { INode } from 'n8n-workflow';
import { planBatches } from '../../../../../nodes/HospitalityBooking/resources/article/batchUpdate.run';
import type {
	ItemResult,
	PreparedItem,
	Run,
} from '../../../../../nodes/shared/operation/operation';
import { fc } from '../../../../support/property';

const node = { name: 'Articles', type: 'x', parameters: {} } as unknown as INode;

/** Items with so many articles each, of the same company and brand unless another is named. */
const itemsWith = (counts: readonly number[], path = '/a') =>
	counts.map((count, itemIndex) => ({
		item: { itemIndex },
		request: {
			path,
			body: {
				items: Array.from({ length: count }, (_, at) => ({ articleId: `${itemIndex} ${at}` })),
			},
		},
	})) as unknown as PreparedItem[];
const sizesOf = (items: readonly PreparedItem[]) =>
	planBatches(items, {} as Run).map(({ changes }) => changes.length);

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
		if (calls.push(items.map(({ number }) => number)) === breaksAt) {
			throw toNodeError({ node, action: 'Update' }, new CallError(failure));
		}
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

/** Updates 50 articles, with 'Set Rejected Articles Aside' unless said otherwise, each of an item of its own. */
async function updateFifty(
	bad: readonly number[],
	says: 'all' | 'first' | 'none',
	breaksAt?: number,
	failure?: CallFailure,
	onRejectedBatch = 'setAside',
) {
	const { call, calls } = serviceThatRefuses(new Set(bad), says, breaksAt, failure);
	const items = Array.from({ length: 50 }, (_, number) => ({
		item: { node, action: 'Update', itemIndex: number, getParameter: () => onRejectedBatch },
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
				for (const outcome of outcomes) {
					expect(outcome).toMatchObject(
						bad.includes(outcome.itemIndex)
							? { isSetAside: true, details: { articleId: `id${outcome.itemIndex}` }, error: NAMED }
							: { records: [{ number: outcome.itemIndex }] },
					);
				}
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

/** Updates the articles a, b and c, each of an item of its own, and gets this body back. */
async function updateThree(body: unknown) {
	const items = ['a', 'b', 'c'].map((articleId, itemIndex) => ({
		item: { node, action: 'Update', itemIndex, getParameter: () => 'fail' },
		request: { path: '/a', body: { items: [{ articleId, name: `Dish ${articleId}` }] } },
		shape: (record: unknown) => record,
	})) as unknown as PreparedItem[];
	const call = jest.fn(async (_request: unknown) => ({ status: 200, body }));
	const run = { account: { call }, signal: new AbortController().signal } as unknown as Run;
	const [planned] = planBatches(items, run);
	return { results: await planned?.send(), sent: call.mock.lastCall?.[0] };
}

test('each item gets its own article of the response, in whatever order and letter case', async () => {
	const items = ['C', 'A', 'b'].map((articleId) => ({ articleId }));
	const { results, sent } = await updateThree({ items });

	expect(results).toMatchObject(
		['A', 'b', 'C'].map((articleId, itemIndex) => ({ itemIndex, records: [{ articleId }] })),
	);
	expect(sent).toMatchObject({ changedRecordLabel: 'article a and 2 more' });
});

test.each([
	['another article', { items: [{ articleId: 'b' }] }, [0, 2]],
	['no article', { items: [] }, [0, 1, 2]],
	['an object of another form', { articles: 3 }, [0, 1, 2]],
	['no body', undefined, [0, 1, 2]],
])('an article that the response leaves out is no success: %s', async (_, body, leftOut) => {
	const { results = [] } = await updateThree(body);

	expect(results.map(({ itemIndex }) => itemIndex)).toEqual([0, 1, 2]);
	const failed = results.flatMap((result) => ('error' in result ? [result] : []));
	expect(failed.map(({ itemIndex }) => itemIndex)).toEqual(leftOut);
	for (const { itemIndex, error, details } of failed) {
		const name = 'abc'.charAt(itemIndex);
		expect(error.message).toBe(
			`No confirmation came for the article 'Dish ${name}': the change may have been made – Update [item ${itemIndex}]`,
		);
		expect(error.description).toContain('before you repeat the call');
		expect(details).toEqual({ articleId: name });
	}
});

test('two items with one article both fail and name each other; those of another company or brand do not count', () => {
	const ended: ItemResult[] = [];
	const run = { end: (results: ItemResult[]) => ended.push(...results) } as unknown as Run;
	const items = ['/a x', '/a y', '/a X', '/b x'].map((text, itemIndex) => {
		const [path, articleId] = text.split(' ');
		const item = { node, action: 'Update', itemIndex };
		return { item, request: { path, body: { items: [{ articleId }] } } };
	}) as unknown as PreparedItem[];
	const calls = planBatches(items, run);

	expect(calls.map(({ changes }) => changes)).toEqual([['y'], ['x']]);
	expect(ended).toMatchObject([
		{ itemIndex: 0, error: { message: "'Article ID' is also in item 2 (X) – Update [item 0]" } },
		{ itemIndex: 2, error: { message: "'Article ID' is also in item 0 (x) – Update [item 2]" } },
	]);
});

test('of a rejected batch, each article that the service names has its own reason, and the others say whose fault it was', async () => {
	const { outcomes } = await updateFifty([3, 7], 'all', Infinity, undefined, 'fail');

	expect(outcomes[3]).toMatchObject({
		error: { message: "The service rejected the article id3: 'Name': Bad (400) – Update [item 3]" },
	});
	expect(outcomes[7]).toMatchObject({ error: NAMED, details: { articleId: 'id7' } });
	expect(outcomes[4]).toMatchObject({
		isConsequence: true,
		error: {
			message:
				'The article id4 was not updated: the service rejected item 3 (id3), which was in the same call (400) – Update [item 4]',
		},
	});
});

test('what was named stays set aside where the call with the others breaks, which then have its error', async () => {
	const { outcomes, calls } = await updateFifty([3], 'all', 2);

	expect(calls.map(({ length }) => length)).toEqual([50, 49]);
	for (const outcome of outcomes) {
		const isNamed = outcome.itemIndex === 3;
		const message = expect.stringContaining(
			isNamed ? 'rejected the article id3' : 'broke (ECONNRESET)',
		) as string;
		expect(outcome).toMatchObject({ error: { message } });
		expect('isSetAside' in outcome).toBe(isNamed);
	}
});
