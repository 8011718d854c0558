import { rejectedArticle } from '../../../../../nodes/HospitalityBooking/resources/article/batchErrors';
import type { Entry } from '../../../../../nodes/HospitalityBooking/resources/article/entries';
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

test.each([
	['items[0].name', "'Name': Bad"],
	['items[0].nameOfMenu', "'nameOfMenu': Bad"],
	['items[0].prices.regular.inclVat', "'Regular Price Incl. VAT': Bad"],
	['items[0].prices.regular', "'prices.regular': Bad"],
])('a person reads %s as %s: a field of the form has its label, and no other', (field, shown) => {
	const item = { node: { name: 'Articles', type: 'x' }, action: 'Update articles', itemIndex: 0 };
	const entry = { item, article: {}, articleId: 'a' } as unknown as Entry;
	const said = { text: '', fields: [{ field, message: 'Bad' }] };

	expect(rejectedArticle(entry, said, '').message).toContain(`: ${shown} (400)`);
});
