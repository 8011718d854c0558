import attempt from 'lodash/attempt';
import get from 'lodash/get';
import type { Field } from '../../nodes/shared/form/fields';
import { bookingFilters } from '../../nodes/HospitalityBookingTrigger/form/properties';
import { GUID, rows } from '../support/sampleForm';

const LONGEST = 9_223_372_036_854_775_807n;

/** What people, sheets and agents enter as an ID. */
const VALUES = [
	GUID,
	GUID.toUpperCase(),
	`{${GUID}}`,
	`  ${GUID}\n`,
	`{ ${GUID} }`,
	`\u00a0{${GUID}}\u00a0`,
	`{${GUID}`,
	`${GUID}}`,
	GUID.slice(1),
	`${GUID}0`,
	GUID.replaceAll('-', ''),
	`"${GUID}"`,
	'00000000-0000-0000-0000-000000000000',
	'{00000000-0000-0000-0000-000000000000}',
	'7',
	' 7 ',
	'007',
	'1042',
	'2147483647',
	'2147483648',
	'9007199254740991',
	'9007199254740993',
	`${LONGEST}`,
	` 0${LONGEST}`,
	`${LONGEST + 1n}`,
	'99999999999999999999',
	'9223372036854775708',
	'0',
	'-7',
	'+7',
	'7.0',
	'7,0',
	'1e3',
	'0x10',
	'7 8',
	'७',
	'７',
	'abc',
	'B10231',
	'#7',
	'{7}',
	'',
	' ',
	'undefined',
	'null',
	'NaN',
	'#N/A',
	'[object Object]',
];

const locators = [
	...rows.flatMap(({ id, operation: { pathFields = [] }, fields }) =>
		[...pathFields, ...fields].map((field) => ({ id, field })),
	),
	...bookingFilters.map((field) => ({ id: 'trigger', field })),
].filter(({ field }) => field.property.type === 'resourceLocator');

function validationOf({ property }: Field): RegExp {
	const mode = property.modes?.find(({ name }) => name === 'id');
	// As n8n makes it.
	return new RegExp(`^${String(get(mode, 'validation[0].properties.regex'))}$`);
}

const isAccepted = ({ serialize }: Field, value: unknown) =>
	!(attempt(() => serialize(value)) instanceof Error);

test('every locator has a list first, and by ID last', () => {
	expect(locators.length).toBeGreaterThanOrEqual(8);
	for (const { field } of locators) {
		const names = field.property.modes?.map(({ name }) => name);
		expect(names?.[0]).toBe('list');
		expect(names?.at(-1)).toBe('id');
	}
});

test.each(locators)(
	'n8n marks what the node refuses as an ID, and nothing else: $id $field.path',
	({ field }) => {
		const pattern = validationOf(field);
		const accepted = VALUES.filter((value) => isAccepted(field, value));

		expect(VALUES.filter((value) => pattern.test(value))).toEqual(accepted);
		expect(accepted.length).toBeGreaterThan(3);
		expect(accepted.length).toBeLessThan(VALUES.length - 20);
	},
);

test.each(locators)('a refusal says where the ID is found: $id $field.path', ({ field }) => {
	const error = attempt(() => field.serialize('abc'));

	expect(error).toMatchObject({ description: expect.stringMatching(/Get Many/) as string });
});

test.each(locators.filter(({ field }) => field.lookUp !== undefined))(
	"a booking may be named by its number, as an agent's model reads in its name: $id",
	({ field }) => {
		expect(field.property.modes?.map(({ name }) => name)).toEqual(['list', 'number', 'id']);
		expect(field.property.displayName).toMatch(/Number( or GUID|, Else Root ID)$/);
	},
);
