import fc from 'fast-check';
import attempt from 'lodash/attempt';
import cloneDeepWith from 'lodash/cloneDeepWith';
import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../../nodes/shared/operation/fields';
import { InvalidValueError } from '../../nodes/shared/values/invalidValue';
import { HOSTILE_BODIES } from '../engine/support/hostileResponses';
import {
	type Form,
	type Row,
	GUID,
	fullForm,
	prepare,
	rows,
	sampleValue,
	setField,
} from '../support/sampleForm';
import { generated } from '../support/thorough';

const RUNS = generated(60, 1000);

/** What an expression may come to, whoever wrote the data that it reads. */
const HOSTILE: unknown[] = [
	...[
		'',
		' ',
		'\t\r\n',
		'.',
		'..',
		'../x',
		'../../customers',
		'a/b',
		'..%2Fcustomers',
		'%2e%2e',
		'x?y=1',
		'x#y',
	],
	...['a\\b', 'a\u0000b', '\u202eabc', 'a\ud83d', '💥', 'Å ö 漢', 'x'.repeat(5000), 'tomorrow', '2026-13-45'],
	...['2026-02-30T25:61:00Z', '{', '[1,', 'null', '{"__proto__":{"x":1}}', GUID, '1001', '1e3', '0x10'],
	...['9007199254740993', '99999999999999999999999999'],
	...[0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, -1e308, Number.NaN, Number.POSITIVE_INFINITY, 10n],
	...[undefined, null, true, false, [], {}, [[]], [null], { a: 1 }, [1, 'two'], { entry: 'x' }],
	...[new Date(0), new Date(Number.NaN), new Map([['name', 'x']])],
];
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
	fc.string({ unit: 'grapheme', maxLength: 30 }),
	fc.webPath(),
	fc.double(),
	// A field without a name is refused by its place in the request, not by the parameter.
	fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('"":')),
);

/** What may stand in a path for a field, told by what it takes. */
function pathPatternOf({ serialize }: Field): string {
	const takes = (value: unknown) => !(attempt(() => serialize(value, 'UTC')) instanceof Error);
	if (takes('summer')) return '[^/?#]+';
	if (takes(GUID)) return '[0-9a-fA-F-]{36}';
	return takes(2 ** 31) ? '[1-9]\\d{0,15}' : '[1-9]\\d{0,9}';
}

/** A place on the form that an expression can fill in. */
interface Slot {
	label: string;
	put(form: Form, value: unknown): void;
}

function slotsOf({ operation, fields }: Row): Slot[] {
	const { pathFields = [], parameters = [], afterCall } = operation;
	const results = (afterCall?.fields ?? []).map((field) => ({
		...field,
		collection: afterCall?.collection?.name,
		in: 'query' as const,
	}));
	return [
		...[
			...pathFields.map(({ property }) => property),
			...parameters.filter((own) => !own.noDataExpression),
		].map(({ displayName, name }: INodeProperties) => ({
			label: displayName,
			put: (form: Form, value: unknown) => void (form[name] = value),
		})),
		...[...fields, ...results].flatMap((field): Slot[] => {
			if (field.property.type !== 'resourceMapper')
				return [{ label: field.property.displayName, put: (form, value) => setField(form, field, value) }];
			const mapper = sampleValue(field) as { value: Form };
			return (field.entries ?? []).map(({ property }) => ({
				label: property.displayName,
				put: (form, value) =>
					setField(form, field, { ...mapper, value: { ...mapper.value, [property.name]: value } }),
			}));
		}),
	];
}

/** Checks that a form is refused by the name of a parameter, or sent to the operation's own path as what JSON can hold. */
async function expectRefusedOrSent(row: Row, form: Form): Promise<void> {
	const { method, path, pathFields = [], body } = row.operation;
	const collections = (body?.sections ?? []).flatMap(({ collection }) => collection?.displayName ?? []);
	const labels = [...slotsOf(row).map(({ label }) => label), ...collections, 'JSON', 'Article'];
	const outcome = await prepare(row, form).catch((error: unknown) => error);
	if (outcome instanceof Error) {
		expect(outcome).toBeInstanceOf(InvalidValueError);
		expect(labels.filter((label) => outcome.message.startsWith(`'${label}`))).not.toEqual([]);
		return;
	}
	const request = outcome as Awaited<ReturnType<typeof prepare>>;
	const own = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const field = pathFields.find(({ at }) => at === name);
		return field ? pathPatternOf(field) : '';
	});
	expect(request.method).toBe(method);
	expect(request.path).toMatch(new RegExp(`^${own}$`));
	for (const step of request.path.split('/')) expect(['.', '..']).not.toContain(decodeURIComponent(step));
	// JSON has no negative zero, and a date becomes a text.
	const whole: unknown = cloneDeepWith(request.body, (value: unknown) => {
		if (value instanceof Date) return value.toJSON();
		return Object.is(value, -0) ? 0 : undefined;
	});
	expect(JSON.parse(JSON.stringify(whole ?? null))).toEqual(whole ?? null);
}

describe.each(rows)('$id', (row) => {
	test('refuses a hostile value of the form by name, or sends it nowhere else', async () => {
		const check = async ({ put }: Slot, value: unknown) => {
			const form = fullForm(row);
			put(form, value);
			await expectRefusedOrSent(row, form);
		};
		const slots = slotsOf(row);
		for (const slot of slots.slice(0, row.operation.pathFields?.length ?? 0))
			for (const value of HOSTILE) await check(slot, value);
		const slot = fc.constantFrom(...slots);
		await fc.assert(fc.asyncProperty(slot, hostileValue, check), { numRuns: RUNS });
	});

	const { body } = row.operation;
	if (body)
		test('refuses hostile JSON by name, whole or in a field, or sends it nowhere else', async () => {
			const example = body.example as Form;
			const broken = fc
				.tuple(fc.constantFrom(...Object.keys(example)), hostileValue)
				.map(([name, value]) => ({ ...example, [name]: value }));
			const check = async (jsonBody: unknown) =>
				await expectRefusedOrSent(row, { ...fullForm(row), bodyMode: 'json', jsonBody });
			await fc.assert(fc.asyncProperty(fc.oneof(hostileValue, broken), check), { numRuns: RUNS });
		});
});

const rowOf = (id: string) => rows.find((row) => row.id === id) as Row;

test.each(HOSTILE_BODIES)(
	'JSON %s is refused by name or sent as it is, and touches no prototype',
	async (_, jsonBody) => {
		const row = rowOf('webBooking.update');
		await expectRefusedOrSent(row, { ...fullForm(row), bodyMode: 'json', jsonBody });

		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	},
);

const HALF = '\ud83d';
const json = (jsonBody: unknown) => ({ bodyMode: 'json', jsonBody });
/** With a field that the contract does not have. */
const withMore = (more: unknown) => ({ ...json({ name: 'x', more }), options: { allowUnknownFields: true } });
const nameAndValue = (value: unknown) => ({ entry: [{ name: 'X-Source', value }] });

test.each<[id: string, form: Form, message: string]>([
	['campaign.update', { campaignId: Number.NaN }, "'Campaign ID' must be a text, not 'NaN'"],
	['checkoutBooking.cancelToBeInvoiced', { alias: 1 / 0 }, "'Alias' must be a text, not 'Infinity'"],
	['webBooking.update', { guests: '0x10' }, "'Guests' is not a number ('0x10')"],
	['webBooking.update', { details: { markings: ['VIP', NaN] } }, "'Markings' is not a text"],
	['webBooking.getAll', { include: [10n] }, "'Include' contains"],
	['webBooking.cancel', { options: { system: Number.NaN } }, "'System' is not"],
	['webBooking.cancel', { options: { system: HALF } }, "'System' contains an unpaired surrogate"],
	[
		'webBooking.cancel',
		{ options: { system: 'my\u200b-restaurant' } },
		"'System' contains a character that a header cannot carry (U+200B)",
	],
	[
		'webBooking.cancel',
		{ options: { extraHeaders: nameAndValue('a\nb') } },
		"'Extra Headers 1' contains a character that a header cannot carry (U+000A)",
	],
	[
		'webBooking.cancel',
		{ options: { extraHeaders: nameAndValue({ a: 1 }) } },
		"'Extra Headers 1' is not a text",
	],
	[
		'webBooking.cancel',
		{ options: { extraQuery: nameAndValue(NaN) } },
		"'Extra Query Parameters 1' is not a text",
	],
	['department.update', json({ name: HALF }), "'JSON: name' contains an unpaired surrogate"],
	['department.update', json('{ "name": "a\\ud83d" }'), "'JSON: name' contains an unpaired surrogate"],
	['department.update', json({ [`x${HALF}`]: 1 }), "'JSON: x"],
	[
		'survey.updateContent',
		{ pages: [{ title: `a${HALF}`, sections: [] }] },
		"'Pages 1: title' contains an unpaired surrogate",
	],
	['department.update', withMore({ big: 10n }), "'JSON: more.big' cannot be represented in JSON"],
	['department.update', withMore([NaN]), "'JSON: more[0]' cannot be represented in JSON"],
	['department.update', withMore(new Date('x')), "'JSON: more' cannot be represented in JSON"],
	['department.update', json(new Map([['name', 'x']])), "'JSON' is not a JSON object"],
	['department.update', json(new Date(0)), "'JSON' is not a JSON object"],
])('%s refuses %p by name', async (id, form, message) => {
	const row = rowOf(id);

	await expect(prepare(row, { ...fullForm(row), ...form })).rejects.toThrow(message);
});

test('a date in JSON is sent as text where the contract has no field', async () => {
	const row = rowOf('department.update');
	const { body } = await prepare(row, { ...fullForm(row), ...withMore(new Date(0)) });

	expect(JSON.stringify(body)).toBe('{"name":"x","more":"1970-01-01T00:00:00.000Z"}');
});
