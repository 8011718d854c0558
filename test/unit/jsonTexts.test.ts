import { type Form, fullForm, prepare, rows, setField } from '../support/sampleForm';

/** A text that is refused as JSON, over every place where a person writes JSON. */

const SECRET = 'hunter2-XyZ9-correct-horse';

interface Place {
	at: string;
	/** @returns what a form with a text in this place comes to */
	send(text: string): Promise<unknown>;
}

const bodies: Place[] = rows
	.filter(({ operation }) => operation.body)
	.map((row) => ({
		at: `${row.id} JSON`,
		send: async (text) =>
			await prepare(row, { ...fullForm(row), bodyMode: 'json', jsonBody: text, options: {} }),
	}));

const fields: Place[] = rows.flatMap((row) =>
	row.fields
		.filter(({ property }) => property.type === 'json')
		.map((field) => ({
			at: `${row.id} ${field.property.displayName}`,
			async send(text) {
				const form: Form = fullForm(row);
				setField(form, field, text);
				return await prepare(row, form);
			},
		})),
);

const broken = [
	{ what: 'without quotes', text: `{\n  "Password": ${SECRET}\n}`, line: 2, column: 15 },
	{ what: 'without the last quote', text: `{ "Password": "${SECRET} }`, line: 1, column: 15 },
	{ what: 'in the wrong quotes', text: `{ "Password": '${SECRET}' }`, line: 1, column: 15 },
	{ what: 'after a missing comma', text: `{ "a": 1 "${SECRET}": 2 }`, line: 1, column: 10 },
	{ what: 'as a name without quotes', text: `[{ ${SECRET}: 1 }]`, line: 1, column: 4 },
	{ what: 'alone', text: SECRET, line: 1, column: 1 },
	{ what: 'after the end', text: `{}\r\n${SECRET}`, line: 2, column: 1 },
	{ what: 'before a bracket that is missing', text: `[{ "a": "${SECRET}" `, line: 1, column: 38 },
];

test('there is more than one place', () => {
	expect(bodies.length).toBeGreaterThan(10);
	expect(fields.length).toBeGreaterThan(3);
});

describe.each(broken)('a secret $what', ({ text, line, column }) => {
	test.each(bodies.concat(fields))(
		'is not quoted; the message says line and column: $at',
		async ({ send }) => {
			const error = (await send(text).catch((reason: unknown) => reason)) as Error & {
				description: string;
			};

			expect(error.message).toContain(`is not valid JSON (line ${line}, column ${column})`);
			expect(error.description).toMatch(/^Expected /);
			for (const part of SECRET.split('-')) {
				expect(`${error.message} ${error.description}`).not.toContain(part);
			}
		},
	);
});
