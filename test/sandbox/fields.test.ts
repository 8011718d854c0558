import type { Schema } from '../../contract/model';
import type { Answer, CallInput } from './support/client';
import { ContractClient } from './support/client';
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

function request(id: string): CallInput {
	const make = here.requests[id];
	if (!make) throw new Error(`No request for ${id}`);
	return make();
}

const jsonOperations = operations.filter((one) => bodySchema(one) !== undefined);

function leaves(id: string): Field[] {
	const schema = bodySchema(operation(id));
	return schema ? fieldsOf(schema) : [];
}

/** A copy of a body with one field set, or taken away when the value is undefined. */
function withField(body: unknown, [first, ...rest]: Field['path'], value: unknown): unknown {
	if (first === undefined) return value;
	if (Array.isArray(body)) return body.map((item, i) => (i === first ? withField(item, rest, value) : item));
	const record = { ...(body as Record<string, unknown>) };
	if (rest.length === 0 && value === undefined) {
		return Object.fromEntries(Object.entries(record).filter(([name]) => name !== first));
	}
	return { ...record, [first]: withField(record[first], rest, value) };
}

/** Values that a schema does not allow, each with what is wrong with it. */
function wrongValues(schema: Schema): Array<[string, unknown]> {
	const wrong: Array<[string, unknown]> = [];
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

test('has a request for every operation of the contract, and for no other', () => {
	expect(Object.keys(here.requests).sort()).toEqual(operations.map(({ id }) => id).sort());
	expect(operations.length).toBeGreaterThan(0);
});

describe.each(operations.map(({ id }) => id))('%s', (id) => {
	test('accepts a request with every field and parameter and answers by the contract', async () => {
		const input = request(id);
		const given = fieldsOf(bodySchema(operation(id)) ?? {}).filter(({ path }) => path.length === 1);
		expect(Object.keys((input.body as object | undefined) ?? {})).toEqual(
			expect.arrayContaining(given.map(({ path }) => path[0])),
		);
		const names = operation(id).parameters.filter((parameter) => parameter.in === 'query');
		expect(Object.keys(input.query ?? {}).sort()).toEqual(names.map(({ name }) => name).sort());
		const { status } = await here.client.call(id, input);
		expect(Math.floor(status / 100)).toBe(2);
	});
});

describe.each(jsonOperations.map(({ id }) => id))('the body of %s', (id) => {
	test('refuses each field with a wrong type, format, width or value, and names the field', async () => {
		const input = request(id);
		const failures: string[] = [];
		for (const { path, schema } of leaves(id)) {
			for (const [what, value] of wrongValues(schema)) {
				const answer = await here.client.call(id, { ...input, body: withField(input.body, path, value) });
				const expected = pathText(path);
				const named = namedFields(answer).some(
					(field) => field === expected || field.startsWith(`${expected}.`),
				);
				if (answer.status !== 400 || !named) {
					failures.push(`${expected} with ${what}: ${answer.status} ${answer.text}`);
				}
			}
		}
		expect(failures).toEqual([]);
		expect(leaves(id).length).toBeGreaterThan(0);
	});

	test('refuses the lack of each required field, and names it', async () => {
		const input = request(id);
		for (const { path } of leaves(id).filter(({ required }) => required)) {
			const answer = await here.client.call(id, { ...input, body: withField(input.body, path, undefined) });
			expect([answer.status, namedFields(answer)]).toEqual([400, expect.arrayContaining([pathText(path)])]);
		}
	});

	test('accepts null in each nullable field and the lack of each optional one', async () => {
		// These identify what is meant; without them nothing can be found.
		const identifying = ['bookingGuid', 'bookingRootId', 'Id', 'customerId', 'contactId'];
		const failures: string[] = [];
		for (const { path, schema, required } of leaves(id)) {
			const values = [...(isNullable(schema) ? [null] : []), ...(required ? [] : [undefined])];
			if (path.length === 1 && identifying.includes(String(path[0]))) continue;
			for (const value of values) {
				await here.sandbox.control('POST', '/reset');
				await here.client.fetchToken();
				const input = request(id);
				const { status, text } = await here.client.call(id, {
					...input,
					body: withField(input.body, path, value),
				});
				if (status >= 300) failures.push(`${pathText(path)} ${String(value)}: ${status} ${text}`);
			}
		}
		expect(failures).toEqual([]);
	});

	test('is refused when it is missing, not JSON, or not sent as JSON', async () => {
		const input = request(id);
		const missing = await here.client.call(id, { ...input, body: undefined });
		expect([missing.status, namedFields(missing)]).toEqual([400, ['body']]);
		expect((await here.client.call(id, { ...input, body: '{"guests": ' })).status).toBe(400);
		const text = await here.client.call(id, { ...input, headers: { 'content-type': 'text/plain' } });
		expect(text.status).toBe(415);
	});
});

const withParameters = operations.filter(({ parameters }) => parameters.length > 0);

describe.each(withParameters.map(({ id }) => id))('the parameters of %s', (id) => {
	test('are refused with a wrong type, format or value, and named', async () => {
		const input = request(id);
		for (const parameter of operation(id).parameters) {
			if (parameter.in === 'header') continue;
			const { schema, name } = parameter;
			const item = schema.items ?? schema;
			if (typesOf(item)[0] === 'string' && !item.format) continue;
			const part = parameter.in;
			const answer = await here.client.call(id, { ...input, [part]: { ...input[part], [name]: 'nonsense' } });
			expect([name, answer.status, [...new Set(namedFields(answer))]]).toEqual([
				name,
				400,
				[schema.items ? `${name}[0]` : name],
			]);
		}
	});

	test('are refused when a required one is missing, and named', async () => {
		for (const parameter of operation(id).parameters.filter(({ required }) => required)) {
			if (parameter.in === 'path') continue;
			const input = request(id);
			const part = parameter.in === 'header' ? 'headers' : 'query';
			const rest = {
				...input[part],
				[parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name]: undefined,
			};
			const given =
				part === 'query' ? Object.fromEntries(Object.entries(rest).filter(([, v]) => v !== undefined)) : rest;
			const answer = await here.client.call(id, { ...input, [part]: given });
			expect([answer.status, namedFields(answer)[0]?.toLowerCase()]).toEqual([
				400,
				parameter.name.toLowerCase(),
			]);
		}
	});
});

test('shows a value in every response field that the documents list', async () => {
	const seeing = new ContractClient(here.sandbox.info);
	for (const id of ['webBooking.getAll', 'customer.getAll', 'surveyRecipient.getAll']) {
		await seeing.call(id, request(id));
		await seeing.call(id, id === 'webBooking.getAll' ? request(id) : {});
	}
	for (const { id } of operations) await seeing.call(id, request(id));
	// A warning of check-out, an error of check-out, a problem, a refused batch, a refused token request.
	await seeing.call('checkoutBooking.checkOut', { body: { bookingRootId: here.ids.rootId } });
	await seeing.call('checkoutBooking.checkOut', {
		body: { bookingRootId: here.ids.rootId, tableArticleIds: [-1] },
	});
	await seeing.call('checkoutBooking.cancelToBeInvoiced', request('checkoutBooking.cancelToBeInvoiced'));
	await seeing.call('customer.getAll', { headers: { system: undefined } });
	const batch = request('article.batchUpdate');
	await seeing.call('article.batchUpdate', { ...batch, body: {} });
	await seeing.call('token.issue', { body: { ...seeing.tokenForm(), scope: 'other' } });

	const expected = new Set<string>();
	for (const { responses } of operations) {
		for (const { content } of Object.values(responses)) {
			for (const { schema } of Object.values(content ?? {})) {
				for (const { name } of fieldsOf(schema)) expected.add(name);
			}
		}
	}
	expect([...expected].filter((name) => !seeing.seen.has(name))).toEqual([]);
	expect(expected.size).toBeGreaterThan(300);
});
