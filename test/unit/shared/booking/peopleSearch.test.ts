import { type Person, PeopleSearch } from '../../../../nodes/shared/booking/peopleSearch';
import { fc } from '../../../support/property';

const person = (given: Partial<Person>): Person => ({ ids: [], names: [], phones: [], ...given });
const named = (...names: string[]) => person({ names });
const called = (...phones: string[]) => person({ phones });
const finds = (search: string, found: Person) => new PeopleSearch(search).finds(found);

it.each([
	['a GUID in braces', ' {3F2504E0-4f89-41d3-9a0c-0305e82c3301} '],
	['a GUID in braces with blanks', '{ 3f2504e0-4f89-41d3-9a0c-0305e82c3301 }'],
	['the link of a telephone number', 'tel:+46701234567'],
])('somebody is found by what nodes put out or take elsewhere: %s', (_, search) => {
	const ids = ['3f2504e0-4f89-41d3-9a0c-0305e82c3301'];
	expect(finds(search, person({ ids, phones: ['070-123 45 67'] }))).toBe(true);
	expect(finds(search, person({ ids: ['3'], phones: ['070-123 45 68'] }))).toBe(false);
});

describe('a telephone number', () => {
	it.each([
		['070-123 45 67', '+46 70 123 45 67'],
		['070-123 45 67', '0046701234567'],
		['070-123 45 67', '+46 (0)70 123 45 67'],
		['070-123 45 67', '+46 ( 0 ) 70 123 45 67'],
		['070/123 45 67', '070.123.45.67'],
		['08-123 45 67', '+46 8 123 45 67'],
		['234567', '070-123 45 67'],
		['０７０１２３４５６７', '00４６７０１２３４５６７'],
		['087 123 4567', '+353 87 123 4567'],
	])('%s is %s, each by the other', (one, other) => {
		expect(finds(one, called(other))).toBe(true);
		expect(finds(other, called(other))).toBe(true);
		expect(finds(other, called('', one))).toBe(true);
	});

	it('is that of one guest alone, though the last seven digits are those of others', () => {
		const numbers = [
			'070-123 45 67',
			'073-123 45 67',
			'076-123 45 67',
			'08-123 45 67',
			'+353 87 123 4567',
		];
		for (const number of numbers) {
			expect(numbers.filter((other) => finds(number, called(other)))).toEqual([number]);
		}
	});

	it.each(['34567', 'B9123456', '+46 70 123 45 68', '00000', '-', ''])(
		'%j finds nobody with 070-912 34 56 or 070-123 45 67',
		(search) => {
			expect(finds(search, called('070-912 34 56', '070-123 45 67'))).toBe(false);
		},
	);

	it('with letters in it is none, on either side', () => {
		expect(finds('123 45 67', called('B1234567'))).toBe(false);
		expect(finds('B1234567', called('123 45 67'))).toBe(false);
	});

	it('is found by any of its ends from six digits on, and by no other six digits', () => {
		const digit = fc.integer({ min: 1, max: 9 });
		const number = fc.array(digit, { minLength: 7, maxLength: 12 }).map((all) => all.join(''));
		fc.assert(
			fc.property(number, fc.integer({ min: 6, max: 12 }), number, (full, length, other) => {
				const end = full.slice(-length);
				expect(finds(end, called(`0${full}`))).toBe(true);
				expect(finds(`0${end}`, called(`00${full}`))).toBe(true);
				expect(finds(other, called(full))).toBe(full.endsWith(other) || other.endsWith(full));
			}),
		);
	});
});

describe('a name', () => {
	it.each([
		['Oberg', 'Öberg'],
		['Öberg', 'Oberg'],
		['Oeberg', 'Öberg'],
		['Öberg', 'Oeberg'],
		['oebe', 'Öberg'],
		['Sorensen', 'Sørensen'],
		['Sørensen', 'Sörensen'],
		['Aase', 'Åse'],
		['Åse', 'Ase'],
		['Haaland', 'Håland'],
		['Kjær', 'Kjaer'],
		['Kjær', 'Kjär'],
		['Gross', 'Groß'],
		['Muller', 'Müller'],
		['Mueller', 'Müller'],
		['Molgård', 'Mølgaard'],
		['Thorsson', 'Þórsson'],
		['Lukasz', 'Łukasz'],
		['Andre', 'André'],
		['Nguyen', 'Nguyễn'],
		['Yilmaz', 'Yılmaz'],
		['OBrien', "O'Brien"],
		['o brien', 'O’Brien'],
		['Lind', 'Lindberg'],
		['berg', 'Lindberg'],
		['elle', 'Noëlle'],
		['Joel', 'Joel'],
		['Annakarin', 'Anna-Karin'],
		['Anna-Karin', 'Annakarin'],
		['vandenberg', 'van den Berg'],
		['Елена', 'елена'],
		['がく', 'ガク'.normalize('NFKC').replace('ガク', 'がく')],
	])('is found by %s: %s', (search, name) => {
		expect(finds(search, named(name))).toBe(true);
	});

	it.each([
		['Joe', 'Johan'],
		['Joel', 'Jolanda'],
		['Berg', 'Bergström'.slice(0, 3)],
		['Anna Lind', 'Anna'],
		['alin', 'Anna Lind'],
		['Lind', 'Lyth'],
		['...', 'Anna'],
		['', 'Anna'],
		[' ', ''],
		['anna@lind', 'Anna Lind'],
		['3f2504e0-4f89-41d3-9a0c-030512345678', '3f2504e0-4f89-41d3-9a0c-030512345678'],
	])('is not found by %j: %s', (search, name) => {
		expect(finds(search, named(name))).toBe(false);
	});

	it('is its words in any order, whatever their case, accents and hyphens', () => {
		const words = fc.shuffledSubarray(['Anna', 'Karin', 'Öberg', 'Lind', "O'Brien"], {
			minLength: 1,
		});
		const typed = [
			(text: string) => text,
			(text: string) => text.toUpperCase(),
			(text: string) => text.normalize('NFD'),
			(text: string) => text.replace(/[ÖO]b/, 'Ob'),
			(text: string) => text.replaceAll(' ', '-'),
			(text: string) => `  ${text.replaceAll(' ', ', ')} `,
		];
		fc.assert(
			fc.property(words, fc.constantFrom(...typed), (chosen, type) => {
				const search = type(chosen.join(' '));

				expect(finds(search, named('Anna-Karin', "Lind Öberg O'Brien"))).toBe(true);
				expect(finds(`${search} Nobody`, named('Anna-Karin', "Lind Öberg O'Brien"))).toBe(false);
			}),
		);
	});

	it('in parts that are not texts is of nobody', () => {
		for (const nothing of [null, undefined, {}, [], 0]) {
			expect(finds('Anna', person({ names: [nothing], ids: [nothing], phones: [nothing] }))).toBe(
				false,
			);
		}
	});
});

describe('an ID', () => {
	it.each(['B10231', ' b10231 ', 'ANNA.lind@example.com', '1042'])(
		'is found whole: %j',
		(search) => {
			expect(finds(search, person({ ids: ['B10231', 'Anna.Lind@example.com', 1042] }))).toBe(true);
		},
	);

	it.each(['B1023', 'lind@example.com', 'B10231x', '104'])('is not found by %j', (search) => {
		expect(finds(search, person({ ids: ['B10231', 'Anna.Lind@example.com', 1042] }))).toBe(false);
	});
});
