import get from 'lodash/get';
import has from 'lodash/has';
import mapValues from 'lodash/mapValues';
import set from 'lodash/set';
import { articleFields } from '../../nodes/HospitalityBooking/resources/article/articleFields';
import { requestBodies } from '../../nodes/shared/contract/calls';
import type { RequestSchema } from '../../nodes/shared/contract/calls';
import { InvalidValueError } from '../../nodes/shared/values/invalidValue';
import {
	type Form,
	type FormField,
	type Row,
	GUID,
	fullBody,
	fullForm,
	prepare,
	rows,
	setField,
} from '../support/sampleForm';
import {
	bodySchema,
	fieldsOf,
	operation as contractOperation,
	pathText,
	typesOf,
} from '../sandbox/support/contract';

/** Spaces, tabs, no-break spaces, line breaks, what is invisible, control characters. */
const BLANK_TEXTS = [
	'',
	' ',
	'\t',
	'\u00a0',
	'\r\n',
	'\u200b',
	' \u2003\ufeff',
	'\u034f\ufe0f',
	'\0\u0085',
];

/** What becomes of a blank: `asIs` is sent as an empty list, `refused` sends nothing at all. */
type Fate = 'omitted' | 'asIs' | 'refused';
type Blank = 'text' | 'list' | 'blanks' | 'object' | 'null' | 'missing';

const VALUES: Record<Blank, readonly unknown[]> = {
	text: BLANK_TEXTS,
	list: [[]],
	blanks: [[''], [' ', null]],
	object: [{}],
	null: [null],
	missing: [undefined],
};

type Way =
	| 'field'
	| 'requiredField'
	| 'requiredList'
	| 'mapperByHand'
	| 'mapperAutomatic'
	| 'cell'
	| 'requiredCell';

/**
 * The table of blanks: way in × blank → what is sent, for every kind of field. A tool of an agent fills in fields. What JSON
 * holds is sent as it is, see below.
 */
const all = (fate: Fate): Record<Blank, Fate> => mapValues(VALUES, () => fate);
const TABLE: Record<Way, Record<Blank, Fate>> = {
	/** Optional, in a collection. `{}` is a collection without a row; for other kinds it is no value. */
	field: all('omitted'),
	requiredField: all('refused'),
	/** Of rows: the service needs the list, which may be empty. `{}` is no row. */
	requiredList: { ...all('refused'), list: 'asIs', object: 'asIs' },
	/** n8n stores null for each field that was not filled in. */
	mapperByHand: { ...all('omitted'), object: 'refused' },
	mapperAutomatic: { ...all('omitted'), object: 'refused' },
	/** Of a row that has other values. */
	cell: { ...all('omitted'), object: 'refused' },
	requiredCell: all('refused'),
};

/** The account is chosen on the form, which test/unit/shared/operation/request.test.ts is about. */
const inBodies = rows
	.filter(({ id }) => id !== 'customer.authenticate')
	.flatMap((row) =>
		row.fields
			.filter((field) => field.in === 'body' && field.property.type !== 'resourceMapper')
			.map((field) => ({
				id: row.id,
				at: field.path,
				row,
				field,
				schema: schemaAt(row, field.path),
			})),
	);
const optional = inBodies.filter(({ field }) => !field.property.required && !field.mustNotBeEmpty);
const required = inBodies.filter(({ field }) => field.property.required);

function schemaAt({ operation: { body } }: Row, path: string): RequestSchema {
	const properties = requestBodies[body?.schema ?? '']?.properties;
	return (get(properties, path.replaceAll('.', '.properties.')) ?? {}) as RequestSchema;
}

const takesObjects = ({ property }: FormField) => property.type === 'fixedCollection';

/** Checks each blank of a way in. An update needs a value: the other fields stay filled in. */
async function expectTable(
	way: Way,
	send: (blank: unknown) => Promise<unknown>,
	{ path, changes = {} }: { path: string; changes?: Partial<Record<Blank, Fate>> },
): Promise<void> {
	const outcome = { ...TABLE[way], ...changes };
	for (const blank of Object.keys(VALUES) as Blank[]) {
		for (const value of VALUES[blank]) {
			const sent = await send(value).catch((error: unknown) => error);
			if (outcome[blank] === 'refused') {
				expect([value, sent]).toEqual([value, expect.any(InvalidValueError)]);
			} else {
				expect([value, sent]).not.toEqual([value, expect.any(Error)]);
				expect([value, has(sent, path)]).toEqual([value, outcome[blank] === 'asIs']);
			}
		}
	}
}

const bodyOf = async (row: Row, form: Form) => (await prepare(row, form)).body;

test.each(optional)(
	'an optional field that is blank is not sent: $id $at',
	async ({ row, field }) => {
		await expectTable(
			'field',
			async (value) => {
				const form = fullForm(row);
				setField(form, field, value);
				return await bodyOf(row, form);
			},
			{
				path: field.path,
				changes: {
					...(takesObjects(field) ? {} : { object: 'refused' }),
				},
			},
		);
	},
);

test.each(required)(
	'a required field that is blank is refused: $id $at',
	async ({ row, field }) => {
		await expectTable(
			field.property.type === 'fixedCollection' ? 'requiredList' : 'requiredField',
			async (value) => {
				const form = { ...fullForm(row), [field.property.name]: value };
				// What is replaced needs a row: see request.test.ts.
				if ('details' in form) set(form, 'details.replaceTimes', false);
				return await bodyOf(row, form);
			},
			{ path: field.path },
		);
	},
);

const cells = inBodies.flatMap(({ id, row, field }) =>
	(field.entries ?? []).map((entry) => ({
		id,
		at: `${field.path}[].${entry.path}`,
		row,
		field,
		entry,
	})),
);

test.each(cells)(
	'a blank cell of a row is not sent, a required one is refused: $id $at',
	async ({ row, field, entry }) => {
		const sample = fullForm(row);
		const place =
			field.collection === undefined
				? [field.property.name]
				: [field.collection, field.property.name];
		const [cellsOfRow] = get(sample, [...place, 'entry']) as Form[];
		await expectTable(
			entry.property.required ? 'requiredCell' : 'cell',
			async (value) => {
				const form = set(
					fullForm(row),
					[...place, 'entry'],
					[{ ...cellsOfRow, [entry.property.name]: value }],
				);
				return get(await bodyOf(row, form), [...field.path.split('.'), 0]) as unknown;
			},
			{ path: entry.path },
		);
	},
);

const articles = rows.find(({ id }) => id === 'article.batchUpdate') as Row;
const mappable = articleFields
	.filter(({ path }) => path !== 'articleId')
	.map((field) => ({ at: field.path, field }));

describe.each<[way: 'mapperByHand' | 'mapperAutomatic', mappingMode: string]>([
	['mapperByHand', 'defineBelow'],
	['mapperAutomatic', 'autoMapInputData'],
])('%s', (way, mappingMode) => {
	test.each(mappable)('does not send a blank: $at', async ({ field }) => {
		const other = field.path === 'name' ? { description: 'x' } : { name: 'x' };
		await expectTable(
			way,
			async (blank) => {
				const value = { articleId: GUID, ...other, [field.property.name]: blank };
				const body = await bodyOf(articles, {
					...fullForm(articles),
					article: { mappingMode, value, schema: [] },
				});
				return get(body, ['items', 0]) as unknown;
			},
			{ path: field.path },
		);
	});
});

/** Words that software writes for nothing; the second ones only where nobody could mean them. */
const WORDS = [
	'undefined',
	'NaN',
	'[object Object]',
	'Invalid DateTime',
	'#N/A',
	'#REF!',
	'#VALUE!',
];
const WORDS_ELSEWHERE = [
	'#NAME?',
	'#NV',
	'#BEZUG!',
	'#WERT!',
	'#SAKNAS!',
	'#VÄRDEFEL!',
	'#FÄLT!',
	'#VERDI!',
	'#ERROR!',
];
const NULL_WORDS = ['null', 'None'];
/** What a guest may write, or be called. */
const FREE_TEXT = /(?:fname|lname|[nN]ame|\.title|^message|search|markings|information|city)$/;
const NO_WORD = /(?:[iI]ds?|Guid|email|phone|mobile|guests|Date)$/;

/** Every field of every operation that a person or an expression fills in, those of rows and of articles too. */
const everyField = rows.flatMap((row) => {
	const { pathFields = [], parameters = [], options = [] } = row.operation;
	const fields = [...pathFields, ...parameters, ...options, ...row.fields];
	return fields
		.flatMap((field) => field.entries ?? [field])
		.map((field) => ({ id: row.id, at: field.path, field }));
});

test.each(everyField)('a word for nothing alone is refused: $id $at', ({ field }) => {
	const { property, serialize } = field;
	const words = property.options ? WORDS : [...WORDS, ...WORDS_ELSEWHERE];
	for (const word of words) {
		for (const given of [word, ` ${word}\n`]) {
			expect(() => serialize(given)).toThrow(`'${property.displayName}' `);
		}
	}

	const read = (word: string) => () => serialize(word);
	for (const word of NULL_WORDS) {
		if (FREE_TEXT.test(field.path)) expect(read(word)).not.toThrow();
		if (NO_WORD.test(field.path)) expect(read(word)).toThrow(`'${property.displayName}' `);
	}
});

const texts = inBodies
	.filter(({ schema }) => schema.type === 'string')
	.map((one, index) => ({ ...one, word: WORDS[index % WORDS.length] }));
test.each(texts)(
	'a word for nothing alone is refused in JSON: $id $at',
	async ({ row, at, word }) => {
		const jsonBody = set(fullBody(row), at, word);
		const sent = prepare(row, { ...fullForm(row), bodyMode: 'json', jsonBody });
		await expect(sent).rejects.toThrow(`'JSON: ${at}' `);
	},
);

/** Every ID, email and phone that is a text, at any depth of JSON, and every list of them. */
const idsInJson = rows.flatMap((row) =>
	fieldsOf(bodySchema(contractOperation(row.id)) ?? {})
		.filter(({ path }) => NO_WORD.test(String(path.at(-1))))
		.filter(({ schema }) => typesOf(schema.items ?? schema).includes('string'))
		.map(({ path, schema }) => ({ row, id: row.id, at: pathText(path), path, schema })),
);

it('is tried on lists of IDs', () => {
	expect(idsInJson.filter(({ schema }) => schema.items).length).toBeGreaterThan(1);
});

test.each(idsInJson)(
	'null and None are refused in JSON in place of an ID: $id $at',
	async ({ row, at, path, schema }) => {
		for (const word of NULL_WORDS) {
			const jsonBody = set(fullBody(row), path, schema.items ? [word] : word);
			const sent = prepare(row, { ...fullForm(row), bodyMode: 'json', jsonBody });
			await expect(sent).rejects.toThrow(`'JSON: ${at}`);
		}
	},
);

describe('JSON clears a value', () => {
	const jsonForm = (row: Row, jsonBody: unknown) => ({
		...fullForm(row),
		bodyMode: 'json',
		jsonBody,
	});
	const CLEAR: Record<string, readonly unknown[]> = { string: ['', ' '], array: [[]] };

	test.each(optional)('with what stands in it: $id $at', async ({ row, field, schema }) => {
		const isText = schema.type !== 'string' || schema.format === undefined;
		for (const value of [null, ...(isText ? (CLEAR[schema.type ?? ''] ?? []) : [])]) {
			const body = set(fullBody(row), field.path, value);
			expect(get(await bodyOf(row, jsonForm(row, body)), field.path)).toEqual(value);
		}
	});
});
