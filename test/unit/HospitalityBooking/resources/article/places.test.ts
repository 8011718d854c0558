import {
	recordsFor,
	fieldOfArticle,
	namedPlaces,
} from '../../../../../nodes/HospitalityBooking/resources/article/places';

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
