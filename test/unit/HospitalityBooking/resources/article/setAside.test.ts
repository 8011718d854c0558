import fc from 'fast-check';
import {
	type BatchResponse,
	type Outcome,
	recordsFor,
	applyOrSetAside,
	fieldOfArticle,
	namedPlaces,
} from '../../../../../nodes/HospitalityBooking/resources/article/setAside';

/** A service that refuses a call as a whole when one of its articles is bad, and says which, if it is talkative. */
function serviceThatRefuses(bad: ReadonlySet<number>, says: 'all' | 'first' | 'none') {
	const calls: number[][] = [];
	const applied: number[] = [];
	const send = async (articles: readonly number[]): Promise<BatchResponse<number>> => {
		calls.push([...articles]);
		const refused = [...articles.entries()].filter(([, article]) => bad.has(article));
		if (refused.length === 0) {
			applied.push(...articles);
			return { applied: articles };
		}
		const named = says === 'all' ? refused : says === 'first' ? refused.slice(0, 1) : [];
		const complaints =
			says === 'none'
				? [{ field: '', message: 'Refused' }]
				: named.map(([index]) => ({ field: `items[${index}].name`, message: 'Bad' }));
		return { refusal: { text: 'Some were refused', fields: complaints } };
	};
	return { send, calls, applied };
}

const fifty = Array.from({ length: 50 }, (_, index) => index);
const isSetAside = (outcome: Outcome<number>) => 'refusal' in outcome;
const numbersSetAside = (outcomes: Array<Outcome<number>>) =>
	fifty.filter((index) => outcomes[index] && isSetAside(outcomes[index]));

describe('setting rejected articles aside', () => {
	test('takes two calls when the answer names every refused article', async () => {
		const { send, calls, applied } = serviceThatRefuses(new Set([0, 17, 49]), 'all');
		const outcomes = await applyOrSetAside(fifty, send);

		expect(calls.map(({ length }) => length)).toEqual([50, 47]);
		expect(numbersSetAside(outcomes)).toEqual([0, 17, 49]);
		expect(applied).toHaveLength(47);
		expect(outcomes[17]).toEqual({
			refusal: { text: 'Some were refused', fields: [{ field: 'items[17].name', message: 'Bad' }] },
		});
	});

	test('finds one unnamed article of 50 with at most 9 calls, by halving', async () => {
		const counts = await Promise.all(
			fifty.map(async (bad) => {
				const { send, calls } = serviceThatRefuses(new Set([bad]), 'none');
				const outcomes = await applyOrSetAside(fifty, send);
				expect(numbersSetAside(outcomes)).toEqual([bad]);
				return calls.length;
			}),
		);

		expect(Math.max(...counts)).toBeLessThanOrEqual(9);
		expect(Math.min(...counts)).toBeLessThanOrEqual(8);
	});

	test('does not send a half again that must hold the refused article', async () => {
		const { send, calls } = serviceThatRefuses(new Set([3]), 'none');
		await applyOrSetAside([0, 1, 2, 3], send);

		expect(calls).toEqual([[0, 1, 2, 3], [0, 1], [2], [3]]);
	});

	test('gives each unnamed article what the service says about it alone', async () => {
		const { send } = serviceThatRefuses(new Set([1]), 'none');
		const outcomes = await applyOrSetAside([0, 1], send);

		expect(outcomes[1]).toEqual({
			refusal: { text: 'Some were refused', fields: [{ field: '', message: 'Refused' }] },
		});
	});

	test('applies every good article once and sets every bad one aside, whatever the service says', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.uniqueArray(fc.nat(49), { maxLength: 50 }),
				fc.constantFrom<'all' | 'first' | 'none'>('all', 'first', 'none'),
				async (bad, says) => {
					const { send, calls, applied } = serviceThatRefuses(new Set(bad), says);
					const outcomes = await applyOrSetAside(fifty, send);

					expect(outcomes).toHaveLength(50);
					expect(numbersSetAside(outcomes)).toEqual([...bad].sort((a, b) => a - b));
					expect([...applied].sort((a, b) => a - b)).toEqual(fifty.filter((index) => !bad.includes(index)));
					expect(calls.length).toBeLessThanOrEqual(
						says === 'all' ? 2 : says === 'first' ? bad.length + 1 : 100,
					);
				},
			),
			{ numRuns: 300 },
		);
	});

	test('stops with what is known when a call itself fails', async () => {
		let calls = 0;
		const outcomes: Array<Outcome<number>> = [];
		const send = async (articles: readonly number[]): Promise<BatchResponse<number>> => {
			calls++;
			if (calls === 1) return { refusal: { text: '', fields: [] } };
			if (calls === 2) return { applied: articles };
			throw new Error('the service is gone');
		};

		await expect(applyOrSetAside([0, 1, 2, 3], send, outcomes)).rejects.toThrow('the service is gone');
		expect(outcomes).toEqual([{ applied: 0 }, { applied: 1 }]);
		expect(calls).toBe(3);
	});
});

test.each([
	['items[3].prices.regular.inclVat', 'prices.regular.inclVat'],
	['Items[3].Name', 'Name'],
	['items.3.name', 'name'],
	['$.items[3].name', 'name'],
	['/items/3/prices/regular', 'prices.regular'],
	['[3].name', 'name'],
	['items[3]', ''],
])('reads the place and the field of %s', (field, own) => {
	expect([...namedPlaces([{ field, message: 'Bad' }], 50).keys()]).toEqual([3]);
	expect(fieldOfArticle(field)).toBe(own);
});

test.each([
	'',
	'name',
	'items',
	'articleId',
	'prices.regular.inclVat',
	'items[50].name',
	'items[-1]',
	'items3',
])('takes %j for no place in a call of 50', (field) => {
	expect(namedPlaces([{ field, message: 'Bad' }], 50).size).toBe(0);
});

describe('finding the answer about each article', () => {
	const article = (articleId: string, name = articleId) => ({ articleId, name });
	const find = (sent: string[], answers: Array<ReturnType<typeof article>>) =>
		recordsFor(sent, answers).map((answer) => answer?.name);

	test('goes by ID, in whatever order and letter case the service answers', () => {
		expect(find(['a', 'b', 'c'], [article('C'), article('A'), article('B')])).toEqual(['A', 'B', 'C']);
	});

	test('gives an article that was sent twice its answers in turn', () => {
		expect(find(['a', 'b', 'a'], [article('a', 'first'), article('b'), article('a', 'second')])).toEqual([
			'first',
			'b',
			'second',
		]);
	});

	test('gives an article that was sent twice the one answer there is', () => {
		expect(find(['a', 'b', 'a'], [article('a'), article('b')])).toEqual(['a', 'b', 'a']);
	});

	test('finds no answer for an article that the service does not mention', () => {
		expect(find(['a', 'b'], [article('b')])).toEqual([undefined, 'b']);
	});
});
