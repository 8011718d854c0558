import { articleFields } from '../../../../../nodes/HospitalityBooking/resources/article/articleFields';
import { ColumnReader } from '../../../../../nodes/HospitalityBooking/resources/article/columns';

const reader = new ColumnReader(articleFields);
const fields = articleFields.map(({ path, property: { name, displayName } }) => ({
	path,
	name,
	label: displayName,
}));

const SPELLINGS: ReadonlyArray<(name: string) => string> = [
	(name) => name,
	(name) => name.toUpperCase(),
	(name) => name.toLowerCase(),
	(name) => ` ${name}\u00A0`,
	(name) => name.replaceAll(' ', ''),
	(name) => name.replaceAll(' ', '_'),
	(name) => `\uFEFF${name}`,
	(name) => `${name} (SEK)`,
	(name) => `${name} [kr]`,
];

test.each(fields)(
	"the column of $label may have its parameter's name, its path or its label, in any case, with blanks, a byte order mark or a unit",
	({ path, name, label }) => {
		for (const given of [name, path, label]) {
			for (const spell of SPELLINGS) {
				expect([spell(given), reader.read({ [spell(given)]: 'x' })]).toEqual([
					spell(given),
					{ values: { [name]: 'x' }, unmatched: [] },
				]);
			}
		}
	},
);

test.each(fields.filter(({ path }) => path.includes('.')))(
	'$label may stand in an object, and a name beside it that there is not is refused',
	({ path, name }) => {
		const [object = '', ...inside] = path.split('.');
		const nested = (last: string) =>
			inside.slice(0, -1).reduceRight<object>((value, key) => ({ [key]: value }), { [last]: 'x' });
		const own = inside.at(-1) ?? '';

		expect(reader.read({ [object]: nested(own) }).values).toEqual({ [name]: 'x' });
		for (const item of [{ [object]: nested(`${own}s`) }, { [`${path}s`]: 'x' }]) {
			expect(() => reader.read(item)).toThrow(`'Article' has no field '${path}s'`);
		}
	},
);

test('other columns are not read: a column of another name, an object of another name, a blank cell', () => {
	const other = { stock: 3, 'Regular Price': 9, supplier: { name: 'x' }, prices: 'see list' };

	expect(reader.read({ ...other, name: 'Toast', description: ' ', Color: null })).toEqual({
		values: { name: 'Toast' },
		unmatched: Object.keys(other),
	});
});

test.each([
	[{ 'Regular Price Incl. VAT (SEK)': 90, 'Regular Price Incl. VAT (EUR)': 9 }],
	[{ pricesRegularInclVat: 90, prices: { regular: { inclVat: 9 } } }],
])('two columns of one field that differ are refused by name: %j', (item) => {
	expect(() => reader.read(item)).toThrow(
		/^'Regular Price Incl\. VAT' has different values in the columns '.+' and '.+'/,
	);
});

test.each([
	[{ 'Regular Price Incl. VAT': '', 'Regular Price Incl. VAT (SEK)': 90 }, []],
	[{ 'REGULAR PRICE INCL. VAT': 90, 'regular price incl. vat': 90 }, []],
	[
		{ 'Regular price incl. VAT (EUR)': 9, 'Regular Price Incl. VAT': 90 },
		['Regular price incl. VAT (EUR)'],
	],
])(
	'of %j the filled-in one counts, and the very name before one that is like it',
	(item, unmatched) => {
		expect(reader.read(item)).toEqual({ values: { pricesRegularInclVat: 90 }, unmatched });
	},
);
