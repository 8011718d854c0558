import cloneDeep from 'lodash/cloneDeep';
import set from 'lodash/set';
import type { Answer, CallInput } from './support/client';
import type { Field } from './support/contract';
import {
	bodySchema,
	fieldsOf,
	isNullable,
	operation,
	operations,
	pathText,
	typesOf,
} from './support/contract';
import { useSandbox } from './support/useSandbox';

const here = useSandbox();

/** Calls an operation with another value in one field of its body; undefined takes the field away. */
function callWith(id: string, path: Field['path'], value: unknown): Promise<Answer> {
	return here.call(id, { body: set(cloneDeep(here.request(id).body) as object, path, value) });
}

/** The same; where an earlier call stands in its way, once more on data as it was at first. */
async function callAfresh(...call: Parameters<typeof callWith>): Promise<Answer> {
	const answer = await callWith(...call);
	if (answer.status < 300) return answer;
	await here.control('POST', '/reset');
	await here.client.fetchToken();
	return await callWith(...call);
}

/** Values that a field does not allow, each with what is wrong with it. */
function wrongValues({ schema, required }: Field): Array<[string, unknown]> {
	const wrong: Array<[string, unknown]> = required ? [['nothing', undefined]] : [];
	const [type] = typesOf(schema);
	if (!isNullable(schema)) wrong.push(['null', null]);
	if (schema.enum) wrong.push(['a value not allowed', type === 'integer' ? 424_242 : 'something else']);
	if (schema.minLength) wrong.push(['no character', '']);
	if (type === 'string') wrong.push(['a number', 7]);
	if (type === 'boolean') wrong.push(['a text', 'yes']);
	if (type === 'integer') wrong.push(['a text', 'seven'], ['a fraction', 1.5]);
	if (type === 'number') wrong.push(['a text', '7.5']);
	if (type === 'array') wrong.push(['an object', {}]);
	if (type === 'object') wrong.push(['a list', []]);
	if (schema.format === 'int32') wrong.push(['a number too wide', 2 ** 31]);
	if (schema.format === 'int64') wrong.push(['a number too wide', 2 ** 63]);
	if (schema.format === 'date-time')
		wrong.push(['no date-time', 'yesterday'], ['a day that is none', '2031-02-30T10:00:00Z']);
	if (schema.format === 'uuid') wrong.push(['no GUID', 'not-a-guid']);
	if (typeof schema.additionalProperties === 'object') wrong.push(['a map with a number', { key: 7 }]);
	return wrong;
}

function namedFields({ body }: Answer): string[] {
	const problem = body as {
		validationErrors?: Array<{ field: string }>;
		extensions?: { errors?: Array<{ field: string }> };
	};
	return (problem.validationErrors ?? problem.extensions?.errors ?? []).map(({ field }) => field);
}

test.each(operations.map(({ id }) => id))(
	'%s accepts a request with every field and parameter and answers by the contract',
	async (id) => {
		expect(Math.floor((await here.status(id)) / 100)).toBe(2);
	},
);

describe.each(operations.filter(bodySchema).map(({ id }) => id))('the body of %s', (id) => {
	const fields = fieldsOf(bodySchema(operation(id)) ?? {});

	test('refuses each field with a wrong type, format, width or value, or lacking, and names the field', async () => {
		const failures: string[] = [];
		for (const field of fields) {
			const expected = pathText(field.path);
			for (const [what, value] of wrongValues(field)) {
				const answer = await callWith(id, field.path, value);
				const named = namedFields(answer).some((name) => `${name}.`.startsWith(`${expected}.`));
				if (answer.status !== 400 || !named)
					failures.push(`${expected} with ${what}: ${answer.status} ${answer.text}`);
			}
		}
		expect(failures).toEqual([]);
		expect(fields.length).toBeGreaterThan(0);
	});

	test('accepts null in each nullable field and the lack of each optional one', async () => {
		// These identify what is meant; without them nothing can be found.
		const identifying = ['bookingGuid', 'bookingRootId', 'Id', 'customerId', 'contactId'];
		const failures: string[] = [];
		for (const { path, schema, required } of fields) {
			const values = [...(isNullable(schema) ? [null] : []), ...(required ? [] : [undefined])];
			if (path.length === 1 && identifying.includes(String(path[0]))) continue;
			for (const value of values) {
				const { status, text } = await callAfresh(id, path, value);
				if (status >= 300) failures.push(`${pathText(path)} ${String(value)}: ${status} ${text}`);
			}
		}
		expect(failures).toEqual([]);
	});

	test('is refused when it is missing, not JSON, or not sent as JSON', async () => {
		const missing = await here.call(id, { body: undefined });
		expect([missing.status, namedFields(missing)]).toEqual([400, ['body']]);
		expect(await here.status(id, { body: '{"guests": ' })).toBe(400);
		expect(await here.status(id, { headers: { 'content-type': 'text/plain' } })).toBe(415);
	});
});

const parameters = operations.flatMap(({ id, parameters: own }) =>
	own.map(({ in: place, schema, name, required: isRequired }) => ({
		...{ id, schema, isRequired, item: schema.items ?? schema },
		...(place === 'header' ? { part: 'headers' as const, name: name.toLowerCase() } : { part: place, name }),
	})),
);
type Parameter = (typeof parameters)[number];

const callWithParameter = ({ id, part, name }: Parameter, value?: string) =>
	here.call(id, { [part]: { ...here.request(id)[part], [name]: value } } satisfies CallInput);

test.each(
	parameters.filter(({ part, item }) => part !== 'headers' && (typesOf(item)[0] !== 'string' || item.format)),
)('$id refuses the parameter $name with a wrong type, format or value, and names it', async (parameter) => {
	const { name, schema } = parameter;
	const answer = await callWithParameter(parameter, 'nonsense');
	const named = schema.items ? `${name}[0]` : name;
	expect([answer.status, [...new Set(namedFields(answer))]]).toEqual([400, [named]]);
});

test.each(parameters.filter(({ isRequired, part }) => isRequired && part !== 'path'))(
	'$id refuses the lack of the parameter $name, and names it',
	async (parameter) => {
		const answer = await callWithParameter(parameter);
		expect([answer.status, namedFields(answer)[0]?.toLowerCase()]).toEqual([
			400,
			parameter.name.toLowerCase(),
		]);
	},
);
