import attempt from 'lodash/attempt';
import cloneDeepWith from 'lodash/cloneDeepWith';
import type { Field } from '../../nodes/shared/form/fields';
import { InvalidValueError } from '../../nodes/shared/values/invalidValue';
import { LongNumber } from '../../nodes/shared/values/longNumber';
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
import { fc } from '../support/property';

const RUNS = generated(60, 200);

/** Takes over n8n's editor where a message shows it as HTML. */
const MARKUP =
	'<a href="https://evil.example.com" style="position:fixed;inset:0">\u202e\u0007x</a>';

/** What an expression may come to, whoever wrote the data that it reads. */
const HOSTILE: unknown[] = [
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
	'a\\b',
	'a\u0000b',
	'\u202eabc',
	'a\ud83d',
	'💥',
	'Å ö 漢',
	'x'.repeat(5000),
	'tomorrow',
	'2026-13-45',
	'2026-02-30T25:61:00Z',
	'{',
	'[1,',
	'null',
	'{"__proto__":{"x":1}}',
	GUID,
	'1001',
	'1e3',
	MARKUP,
	`${GUID}${MARKUP}`,
	MARKUP.repeat(1_000),
	'0x10',
	'9007199254740993',
	'99999999999999999999999999',
	0,
	-1,
	1.5,
	2 ** 31,
	2 ** 53,
	1e21,
	-1e308,
	Number.NaN,
	Number.POSITIVE_INFINITY,
	10n,
	undefined,
	null,
	true,
	false,
	[],
	{},
	[[]],
	[null],
	{ a: 1 },
	[MARKUP],
	{ [MARKUP]: MARKUP },
	[1, 'two'],
	{ entry: 'x' },
	new Date(0),
	new Date(Number.NaN),
	new Map([['name', 'x']]),
];
/** JSON that throws a TypeError where a text or a number is made of it. */
const WITHOUT_TEXT: unknown[] = [{ toString: 1, valueOf: 1 }, [{ toString: 1, valueOf: 1 }]];
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 2, arbitrary: fc.constantFrom(...HOSTILE) },
	fc.string({ unit: 'grapheme', maxLength: 30 }),
	fc
		.array(fc.constantFrom('a', '..', '.', '%2e%2e', '%2F', ''), { maxLength: 6 })
		.map((parts) => parts.join('/')),
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
	const { pathFields = [], parameters = [] } = operation;
	const open = [...pathFields, ...parameters.filter(({ property }) => !property.noDataExpression)];
	return [
		...open.map(({ property: { displayName, name } }) => ({
			label: displayName,
			put: (form: Form, value: unknown) => void (form[name] = value),
		})),
		...fields.flatMap((field): Slot[] => {
			if (field.property.type !== 'resourceMapper') {
				return [
					{ label: field.property.displayName, put: (form, value) => setField(form, field, value) },
				];
			}
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
	const collections = (body?.sections ?? []).flatMap(
		({ collection }) => collection?.displayName ?? [],
	);
	const labels = [...slotsOf(row).map(({ label }) => label), ...collections, 'JSON', 'Article'];
	const outcome = await prepare(row, form).catch((error: unknown) => error);
	if (outcome instanceof Error) {
		expect(outcome).toBeInstanceOf(InvalidValueError);
		const { message, description } = outcome as InvalidValueError;
		// eslint-disable-next-line no-control-regex
		expect(message + description).not.toMatch(/[<>\u0000-\u001f\u202e]/);
		expect(message.length + description.length).toBeLessThan(4_500);
		expect(labels.filter((label) => outcome.message.startsWith(`'${label}`))).not.toEqual([]);
		return;
	}
	const request = outcome as Awaited<ReturnType<typeof prepare>>;
	const own = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
		const field = pathFields.find((one) => one.path === name);
		return field ? pathPatternOf(field) : '';
	});
	expect(request.method).toBe(method);
	expect(request.path).toMatch(new RegExp(`^${own}$`));
	for (const step of request.path.split('/')) {
		expect(['.', '..']).not.toContain(decodeURIComponent(step));
	}
	// JSON has no negative zero, and a date becomes a text.
	const whole: unknown = cloneDeepWith(request.body, (value: unknown) => {
		if (value instanceof Date) return value.toJSON();
		if (value instanceof LongNumber) return value.toString();
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
		for (const slot of slots.slice(0, row.operation.pathFields?.length ?? 0)) {
			for (const value of HOSTILE) await check(slot, value);
		}
		for (const slot of slots) {
			for (const value of WITHOUT_TEXT) await check(slot, value);
		}
		const slot = fc.constantFrom(...slots);
		await fc.assert(fc.asyncProperty(slot, hostileValue, check), { numRuns: RUNS });
	});

	const { body } = row.operation;
	if (body) {
		test('refuses hostile JSON by name, whole or in a field, or sends it nowhere else', async () => {
			const example = body.example as Form;
			const broken = fc
				.tuple(fc.constantFrom(...Object.keys(example)), hostileValue)
				.map(([name, value]) => ({ ...example, [name]: value }));
			const check = async (jsonBody: unknown) =>
				await expectRefusedOrSent(row, { ...fullForm(row), bodyMode: 'json', jsonBody });
			await fc.assert(fc.asyncProperty(fc.oneof(hostileValue, broken), check), { numRuns: RUNS });
		});
	}
});

test.each(HOSTILE_BODIES)(
	'JSON %s is refused by name or sent as it is, and touches no prototype',
	async (_, jsonBody) => {
		const row = rows.find(({ id }) => id === 'webBooking.update') as Row;
		await expectRefusedOrSent(row, { ...fullForm(row), bodyMode: 'json', jsonBody });

		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	},
);
