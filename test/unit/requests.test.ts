import get from 'lodash/get';
import omit from 'lodash/omit';
import set from 'lodash/set';
import {
	type Form,
	type Row,
	GUID,
	formOfBody,
	fullBody,
	fullForm,
	prepare,
	rows,
	setField,
	withValue,
} from '../support/sampleForm';
import { bodyMode } from '../../nodes/shared/operation/nodeForm';
import { toJsonText } from '../../nodes/shared/values/longNumber';
import { bodySchema, fieldsOf, operation, pathText, typesOf } from '../sandbox/support/contract';

/** What a request may be, over every field of every operation. */

/** Blanks alone are empty: a space, a tab, a no-break space, a line break, what is invisible, control characters. */
const BLANK = [' ', '\t', '\u00a0', '\r\n', '\u200b', ' \u2003\ufeff', '\u034f\ufe0f', '\0\u0085'];
const EMPTY = [undefined, null, '', [], ...BLANK, [' ']];
/** The account is chosen on the form, which test/unit/shared/operation/request.test.ts is about. */
const AUTHENTICATE = 'customer.authenticate';

const fields = rows.flatMap((row) =>
	row.fields
		.filter(({ property }) => !property.required && row.id !== AUTHENTICATE)
		.map((field) => ({ id: row.id, at: field.path, row, field })),
);
const narrowing = fields.filter(({ field }) => field.mustNotBeEmpty);
const withBody = rows.filter(({ operation: { body } }) => body);

const jsonForm = (row: Row, jsonBody: unknown, options = {}) => ({
	...fullForm(row),
	bodyMode: 'json',
	jsonBody,
	options,
});

const recordFields = ({ operation: { body } }: Row) =>
	(body?.sections ?? [])
		.flatMap((section) => section.fields)
		.filter(({ namesRecord }) => namesRecord);

describe('a field that is on the form and comes out empty', () => {
	test.each(narrowing)(
		'is refused by name where leaving it out does or returns more: $id $at',
		async ({ row, field }) => {
			for (const value of EMPTY) {
				await expect(prepare(row, withValue(row, field, value))).rejects.toThrow(
					`'${field.property.displayName}' is empty`,
				);
			}
		},
	);

	test.each(narrowing.filter(({ field }) => field.in === 'body'))(
		'is refused in JSON as well: $id $at',
		async ({ row, at }) => {
			for (const value of EMPTY) {
				const body = set(fullBody(row), at, value);
				await expect(prepare(row, jsonForm(row, body))).rejects.toThrow(`'JSON: ${at}' is empty`);
			}
		},
	);
});

test.each(withBody.filter(({ id }) => id !== AUTHENTICATE))(
	'each value of the form lands in its own place: $id',
	async (row) => {
		const body = fullBody(row);

		expect((await prepare(row, formOfBody(row, body))).body).toEqual(body);
	},
);

describe('JSON', () => {
	/** Every object in the full body: where it is, and a name that it has. */
	const places = withBody.flatMap((row) => {
		const seen = new Set<string>();
		return fieldsOf(bodySchema(operation(row.id)) ?? {}).flatMap(({ path }) => {
			const parent = path.slice(0, -1);
			const place = parent.join('.');
			if (seen.has(place)) return [];
			seen.add(place);
			return [{ id: row.id, place, row, parent, name: String(path.at(-1)) }];
		});
	});

	test.each(places.filter(({ id }) => id !== AUTHENTICATE))(
		'with a misspelled name is refused: $id $place',
		async ({ row, parent, name }) => {
			const body = fullBody(row);
			set(body, [...parent, `${name}x`], 'value');

			const refused = prepare(row, jsonForm(row, body));
			await expect(refused).rejects.toThrow(`${name}x' is not a field`);
			await expect(refused).rejects.toMatchObject({
				description: expect.stringContaining(`Did you mean '`),
			});
		},
	);

	test.each(withBody)(
		'may be anything that the contract has, as text or as an object: $id',
		async (row) => {
			const body = fullBody(row);

			for (const given of [body, JSON.stringify(body)]) {
				expect((await prepare(row, jsonForm(row, given))).body).toEqual(body);
			}
		},
	);

	test.each(withBody)('may equal the example, which names its record alone: $id', async (row) => {
		const example = row.operation.body?.example;
		const form = jsonForm(row, example) as Form;
		for (const { property } of recordFields(row)) form[property.name] = '';

		expect((await prepare(row, form)).body).toMatchObject(example as Form);
	});
});

const records = withBody.flatMap((row) =>
	recordFields(row).map((field) => ({ id: row.id, at: field.path, row, field })),
);

describe.each(records)('$at, which names the record of $id,', ({ at, row, field }) => {
	const { displayName, name } = field.property;
	const value = fullForm(row)[name];
	const other = value === GUID ? GUID.replace('01', 'ff') : 8;
	const json = omit(fullBody(row), at);

	test('comes from the form in either mode', async () => {
		for (const form of [fullForm(row), jsonForm(row, json)]) {
			expect((await prepare(row, form)).body).toHaveProperty(at, value);
		}
	});

	test('is sent as from the form where the JSON names it with blanks around it', async () => {
		for (const form of [fullForm(row)[name], '']) {
			const inJson = jsonForm(row, { ...json, [at]: ` ${String(value)} ` });
			expect((await prepare(row, { ...inJson, [name]: form })).body).toHaveProperty(at, value);
		}
	});

	test('is refused when the JSON names another one', async () => {
		await expect(prepare(row, jsonForm(row, { ...json, [at]: other }))).rejects.toThrow(
			`'JSON: ${at}' names another record than '${displayName}'`,
		);
	});

	test.each([undefined, ''])('is refused when an expression for it is %p', async (empty) => {
		for (const form of [
			fullForm(row),
			jsonForm(row, json),
			jsonForm(row, { ...json, [at]: empty }),
		]) {
			await expect(prepare(row, { ...form, [name]: empty })).rejects.toThrow(
				`'${displayName}' is empty`,
			);
		}
	});
});

/** Places of a body that name the same record as the path, or as another place. */
const agreeing = Object.entries({
	'articleGroup.update': ['id'],
	'campaign.update': ['campaignId'],
	'contact.connectToCustomer': ['contact.id', 'customer.id', 'contact.customer.id'],
	'contactFilter.update': ['id'],
	'department.update': ['id'],
	'webBooking.updatePayment': ['guid'],
}).flatMap(([id, places]) =>
	places.map((at) => ({ id, at, row: rows.find((row) => row.id === id) as Row })),
);

test.each(agreeing)(
	'the IDs of one request agree, whatever their letters: $id $at',
	async ({ row, at }) => {
		const body = fullBody(row);
		const id = get(body, at) as string | number;
		const other =
			typeof id === 'number' ? id + 1 : id.replace(/\w$/, (last) => (last === 'f' ? 'e' : 'f'));

		await expect(prepare(row, jsonForm(row, set(body, at, other)))).rejects.toThrow(
			`'JSON: ${at}' names another record than '`,
		);
		const inCapitals = typeof id === 'number' ? id : id.toUpperCase();
		await expect(prepare(row, jsonForm(row, set(body, at, inCapitals)))).resolves.toBeDefined();
	},
);

describe('an update with nothing to change is refused', () => {
	/** What names the record in the body; alone it changes nothing. */
	const NAMES: Record<string, Record<string, unknown>> = {
		'webBooking.update': {},
		'webBooking.updatePayment': { guid: GUID },
		'contactFilter.update': { id: 7 },
		'survey.updateContent': {},
		'campaign.update': { id: 7, campaignId: '7', marketing: {} },
		'articleGroup.update': { id: 7 },
		'department.update': { id: 7 },
		'article.batchUpdate': { items: [{ articleId: GUID }] },
	};
	const updates = rows.filter(({ operation: { value } }) => /update/i.test(value));

	test('in every operation that updates', () => {
		expect(updates.map(({ id }) => id).sort()).toEqual(Object.keys(NAMES).sort());
	});

	test.each(updates)('as JSON: $id', async (row) => {
		for (const body of [{}, NAMES[row.id]]) {
			await expect(prepare(row, jsonForm(row, body))).rejects.toThrow(
				/has nothing to (change|send)|is missing|is empty/,
			);
		}
	});

	test.each(updates)('from fields: $id', async (row) => {
		const form = fullForm(row);
		for (const field of row.fields.filter((each) => each.in === 'body')) {
			const named = NAMES[row.id]?.[field.path];
			if (field.property.type === 'resourceMapper') {
				setField(form, field, {
					mappingMode: 'defineBelow',
					value: { articleId: GUID },
					schema: [],
				});
			} else {
				setField(form, field, named);
			}
		}
		await expect(prepare(row, form)).rejects.toThrow(/has nothing to (change|send)|is empty/);
	});
});

describe('a text of blanks alone is empty', () => {
	const required = withBody.flatMap((row) =>
		fieldsOf(bodySchema(operation(row.id)) ?? {})
			.filter(({ schema }) => schema.minLength !== undefined && schema.format === undefined)
			.map(({ path }) => ({ row, id: row.id, at: pathText(path), path })),
	);

	it('is tried where the contract asks for a text', () =>
		expect(required.length).toBeGreaterThan(1));

	test.each(required)('in JSON: $id $at', async ({ row, at, path }) => {
		for (const blank of BLANK) {
			const form = jsonForm(row, set(fullBody(row), path, blank));
			await expect(prepare(row, form)).rejects.toThrow(`'JSON: ${at}' is empty`);
		}
	});
});

describe('no record has a number below 1', () => {
	const ids = records.filter(
		({ row, field }) => typeof fullForm(row)[field.property.name] === 'number',
	);

	test.each(ids)('on the form and in JSON: $id $at', async ({ row, at, field: { property } }) => {
		for (const number of [0, '-1']) {
			await expect(prepare(row, { ...fullForm(row), [property.name]: number })).rejects.toThrow(
				`'${property.displayName}' is ${number}`,
			);
			const body = set(fullBody(row), at, number);
			await expect(prepare(row, { ...jsonForm(row, body), [property.name]: '' })).rejects.toThrow(
				`'JSON: ${at}' is ${number}`,
			);
		}
	});
});

describe('a number of 64 bits that JavaScript cannot count to', () => {
	const LONG = '9007199254740993';
	const WRONG = ['9999999999999999999', '-9007199254740993', 9007199254740992];
	const inPath = rows.filter(({ id }) =>
		operation(id).parameters.some((one) => one.in === 'path' && one.schema.format === 'int64'),
	);
	const inBody = withBody.flatMap((row) =>
		fieldsOf(bodySchema(operation(row.id)) ?? {})
			.filter(({ schema }) => schema.format === 'int64')
			.filter(({ path }) => row.operation.body?.repeatsId !== path.join('.'))
			.map(({ path }) => ({ row, id: row.id, at: pathText(path), path })),
	);
	/** IDs that another one has to equal, with that one. */
	const same = ({ operation: { body } }: Row) => Object.entries(body?.sameIds ?? {});
	const inFields = inBody.flatMap(({ row, id, at }) =>
		row.fields
			.filter(({ path }) => path === at && !same(row).flat().includes(at))
			.map((field) => ({ row, id, at, field })),
	);

	test.each(inPath)('names a record as the text that a node has put out: $id', async (row) => {
		const [field] = row.operation.pathFields ?? [];
		const form = { ...fullForm(row), [field?.property.name ?? '']: LONG };
		const { path, body } = await prepare(row, form);
		expect(path).toContain(`/${LONG}`);
		if (body) expect(toJsonText(body)).toContain(`"id":${LONG}`);
		for (const wrong of WRONG) {
			await expect(prepare(row, { ...form, [field?.property.name ?? '']: wrong })).rejects.toThrow(
				"ID' is ",
			);
		}
	});

	test.each(inBody)('is exact on the wire from JSON: $id $at', async ({ row, at, path }) => {
		const body = set(fullBody(row), path, LONG);
		for (const pair of same(row)) {
			if (pair.includes(at)) for (const place of pair) set(body, place, LONG);
		}
		const form: Form = jsonForm(row, body);
		for (const { property } of recordFields(row)) form[property.name] = '';

		expect(toJsonText((await prepare(row, form)).body)).toContain(
			`"${String(path.at(-1))}":${LONG}`,
		);
	});

	/** Numbers of 32 bits, codes and what else counts or means something. */
	const notLong = withBody.flatMap((row) =>
		fieldsOf(bodySchema(operation(row.id)) ?? {})
			.filter(({ schema }) => typesOf(schema).includes('integer') && schema.format !== 'int64')
			.map(({ path, schema }) => ({ row, id: row.id, at: pathText(path), path, schema })),
	);

	it('is tried where the contract has 32 bits, codes, and no width', () => {
		const kinds = notLong.map(({ schema }) => schema.format ?? (schema.enum ? 'codes' : 'none'));

		expect(kinds).toEqual(expect.arrayContaining(['int32', 'codes', 'none']));
	});

	test.each(notLong)(
		'is refused in JSON where the contract has no ID of 64 bits: $id $at',
		async ({ row, at, path }) => {
			const body = set(fullBody(row), path, LONG);

			const outcome = prepare(row, jsonForm(row, body));

			await expect(outcome).rejects.toThrow(`'JSON: ${at}' is of the wrong type`);
		},
	);

	test.each(inFields)('is exact on the wire from a field: $id $at', async ({ row, field }) => {
		const { body } = await prepare(row, withValue(row, field, LONG));
		expect(toJsonText(body)).toContain(`"${field.path.split('.').at(-1)}":${LONG}`);
	});

	test('is exact in a filter', async () => {
		const row = rows.find(({ id }) => id === 'webBooking.getAll') as Row;
		const { query } = await prepare(row, { ...fullForm(row), filters: { unitIds: `7, ${LONG}` } });
		expect(query.unitIds).toEqual([7, LONG]);
	});
});

describe('a choice or switch whose expression comes out empty or as what there is not is refused by name', () => {
	const choices = rows.flatMap((row) => {
		const { parameters = [], options = [], body } = row.operation;
		const open = [...parameters, ...(body ? [bodyMode] : [])].map(
			({ property }) => [property.name, property] as const,
		);
		const inOptions = options.map(
			({ property }) => [`options.${property.name}`, property] as const,
		);
		return [...open, ...inOptions]
			.filter(([, { type }]) => type === 'options' || type === 'boolean')
			.map(([at, property]) => ({ id: row.id, at, row, property }));
	});

	it('is tried on every operation that has one', () => expect(choices.length).toBeGreaterThan(20));

	test.each(choices)(
		'$id $at',
		async ({ row, at, property: { displayName, default: standard } }) => {
			const stored = set(fullForm(row), at, '={{ $json.value }}');
			for (const value of [...EMPTY, 'somethingElse', [standard], {}, 7]) {
				await expect(prepare(row, stored, 'UTC', set(fullForm(row), at, value))).rejects.toThrow(
					`'${displayName}' is `,
				);
			}
			for (const form of [omit(fullForm(row), at), set(fullForm(row), at, standard)]) {
				await expect(prepare(row, form)).resolves.toBeDefined();
			}
		},
	);
});
