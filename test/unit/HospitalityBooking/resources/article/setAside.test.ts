import fc from 'fast-check';
import {
	type Fated,
	recordsFor,
	applyOrSetAside,
	fieldOfArticle,
	namedPlaces,
} from '../../../../../nodes/HospitalityBooking/resources/article/setAside';

interface Article extends Fated {
	number: number;
}

const articlesOf = (count: number) => Array.from({ length: count }, (_, number): Article => ({ number }));
const numbersOf = (articles: readonly Article[]) => articles.map(({ number }) => number);
const numbersSetAside = (articles: readonly Article[]) =>
	numbersOf(articles.filter(({ fate }) => fate && 'refusal' in fate));
const apply = (articles: readonly Article[]) => {
	for (const article of articles) article.fate = { applied: undefined };
};

/** A service that refuses a call as a whole when one of its articles is bad, and says which, if it is talkative. */
function serviceThatRefuses(bad: ReadonlySet<number>, says: 'all' | 'first' | 'none') {
	const calls: number[][] = [];
	const applied: number[] = [];
	const send = async (articles: readonly Article[]) => {
		calls.push(numbersOf(articles));
		const refused = [...articles.entries()].filter(([, { number }]) => bad.has(number));
		if (refused.length === 0) {
			applied.push(...numbersOf(articles));
			apply(articles);
			return undefined;
		}
		const named = says === 'first' ? refused.slice(0, 1) : refused;
		const fields =
			says === 'none'
				? [{ field: '', message: 'Refused' }]
				: named.map(([index]) => ({ field: `items[${index}].name`, message: 'Bad' }));
		return { text: 'Some were refused', fields };
	};
	return { send, calls, applied };
}

describe('setting rejected articles aside', () => {
	test('applies every good article once and sets every named one aside, all at once or one after the other', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.uniqueArray(fc.nat(49), { maxLength: 50 }),
				fc.constantFrom<'all' | 'first'>('all', 'first'),
				async (bad, says) => {
					const { send, calls, applied } = serviceThatRefuses(new Set(bad), says);
					const articles = articlesOf(50);
					expect(await applyOrSetAside(articles, send)).toBeUndefined();

					expect(numbersSetAside(articles)).toEqual([...bad].sort((a, b) => a - b));
					expect(applied).toEqual(numbersOf(articles).filter((number) => !bad.includes(number)));
					expect(calls.length).toBeLessThanOrEqual({ all: 2, first: bad.length + 1 }[says]);
					const said = bad.map((index) => ({ field: `items[${index}].name`, message: 'Bad' }));
					if (says === 'all')
						expect(bad.map((index) => articles[index]?.fate)).toEqual(
							said.map((complaint) => ({ refusal: { text: 'Some were refused', fields: [complaint] } })),
						);
				},
			),
			{ numRuns: 100 },
		);
	});

	test('gives back why the rest was refused where none of it is named, and makes no further call', async () => {
		const { send, calls } = serviceThatRefuses(new Set([3]), 'none');
		const articles = articlesOf(4);

		expect(await applyOrSetAside(articles, send)).toMatchObject({ text: 'Some were refused' });
		expect(calls).toHaveLength(1);
		expect(articles.filter(({ fate }) => fate)).toEqual([]);
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
