import {
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
