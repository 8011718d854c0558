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
		const named = says === 'first' ? refused.slice(0, 1) : refused;
		const fields =
			says === 'none'
				? [{ field: '', message: 'Refused' }]
				: named.map(([index]) => ({ field: `items[${index}].name`, message: 'Bad' }));
		return { refusal: { text: 'Some were refused', fields } };
	};
	return { send, calls, applied };
}

const fifty = Array.from({ length: 50 }, (_, index) => index);
const numbersSetAside = (outcomes: Array<Outcome<number>>) =>
	fifty.filter((index) => outcomes[index] && 'refusal' in outcomes[index]);

describe('setting rejected articles aside', () => {
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

	test('does not send a half again that must hold the refused article, which gets what is said of it alone', async () => {
		const { send, calls } = serviceThatRefuses(new Set([3]), 'none');
		const outcomes = await applyOrSetAside([0, 1, 2, 3], send);

		expect(calls).toEqual([[0, 1, 2, 3], [0, 1], [2], [3]]);
		expect(outcomes[3]).toEqual({
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
					expect(calls.length).toBeLessThanOrEqual({ all: 2, first: bad.length + 1, none: 100 }[says]);
					const said = bad.map((index) => ({ field: `items[${index}].name`, message: 'Bad' }));
					if (says === 'all')
						expect(bad.map((index) => outcomes[index])).toEqual(
							said.map((complaint) => ({ refusal: { text: 'Some were refused', fields: [complaint] } })),
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
	...['', 'name', 'items', 'articleId', 'prices.regular.inclVat', 'items[50].name', 'items[-1]', 'items3'],
])('takes %j for no place in a call of 50', (field) => {
	expect(namedPlaces([{ field, message: 'Bad' }], 50).size).toBe(0);
});

const article = (articleId: string, name = articleId) => ({ articleId, name });

test.each([
	['by ID, in whatever order and letter case', 'abc', [article('C'), article('A'), article('B')], 'ABC'],
	['in turn, of one that was sent twice', 'aba', [article('a', '1'), article('b'), article('a', '2')], '1b2'],
	['of one that was sent twice, the one there is', 'aba', [article('a'), article('b')], 'aba'],
])('finds the response about each article: %s', (_, sent, responses, names) => {
	const found = recordsFor([...sent], responses).map((response) => response?.name);
	expect(found).toEqual([...names]);
});

test('finds no response about an article that the service does not mention', () => {
	expect(recordsFor(['a', 'b'], [article('b')])).toEqual([undefined, article('b')]);
});
