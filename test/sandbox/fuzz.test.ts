import * as fc from 'fast-check';
import type { Operation, Schema } from '../../contract/model';
import { contractSchema, createAjv, resolveSchema } from '../../contract/model';
import { type Sandbox, startSandbox } from '../../harness/sandbox.ts';
import { generated } from '../support/thorough';
import type { CallInput } from './support/client';
import { ContractClient } from './support/client';
import { bodySchema, contract, isNullable, operations, typesOf } from './support/contract';
import { findIds, fullRequests } from './support/requests';

/** How many requests are made. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? generated(1000, 5000));

const anything = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom<unknown>(null, '', 0, -1, 1e308, 2 ** 53, [], {}, { ['constructor']: 1 }, '\u0000', '💥'),
);

const dateTime = fc
	.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true })
	.chain((date) =>
		fc.constantFrom(
			date.toISOString(),
			date.toISOString().slice(0, 19),
			`${date.toISOString().slice(0, 19)}+14:00`,
		),
	);

function text({ format, minLength, enum: allowed }: Schema): fc.Arbitrary<unknown> {
	if (allowed) return fc.constantFrom(...allowed);
	if (format === 'date-time') return dateTime;
	if (format === 'uuid') return fc.uuid();
	return fc.string({ minLength: minLength ?? 0, maxLength: 40, unit: 'binary' });
}

function number({ format, enum: allowed }: Schema, type: string): fc.Arbitrary<unknown> {
	if (allowed) return fc.constantFrom(...allowed);
	if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
	return format === 'int32' ? fc.integer() : fc.maxSafeInteger();
}

/** Values of a schema; where `wrong` says so, one in twenty is anything at all. */
function valueOf(root: Schema, wrong: boolean, depth = 0): fc.Arbitrary<unknown> {
	const schema = resolveSchema(contract, root);
	const valid = (): fc.Arbitrary<unknown> => {
		const [type = 'string'] = typesOf(schema);
		switch (type) {
			case 'object':
				return record(schema, wrong, depth);
			case 'array':
				return depth > 5 || !schema.items
					? fc.constant([])
					: fc.array(valueOf(schema.items, wrong, depth + 1), {
							maxLength: schema.maxItems ? 52 : 3,
							size: 'small',
						});
			case 'boolean':
				return fc.boolean();
			case 'integer':
			case 'number':
				return number(schema, type);
			default:
				return text(schema);
		}
	};
	return fc.oneof(
		{ weight: 60, arbitrary: valid() },
		...(wrong ? [{ weight: 3, arbitrary: anything }] : []),
		...(isNullable(schema) ? [{ weight: 10, arbitrary: fc.constant(null) }] : []),
	);
}

function record(schema: Schema, wrong: boolean, depth: number): fc.Arbitrary<unknown> {
	if (!schema.properties) return fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 });
	if (depth > 5) return fc.constant({});
	const fields = Object.fromEntries(
		Object.entries(schema.properties).map(([name, property]) => [name, valueOf(property, wrong, depth + 1)]),
	);
	const required = schema.required ?? [];
	return fc.oneof(
		{ weight: 20, arbitrary: fc.record(fields, { requiredKeys: required }) },
		...(wrong ? [{ weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) }] : []),
	);
}

const header = fc.string({ unit: fc.constantFrom(...'abcXYZ019 -_/:;=,."%'), maxLength: 30 });
const parameter = fc.oneof(
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
	fc.integer().map(String),
	fc.uuid(),
);

let sandbox: Sandbox;
let client: ContractClient;
let known: Record<string, () => CallInput>;

beforeAll(async () => {
	sandbox = await startSandbox({ control: true, bookings: 10 });
	client = new ContractClient(sandbox.info);
	known = fullRequests(sandbox, await findIds(sandbox));
});

afterAll(() => sandbox.stop());

const ajv = createAjv(contract);

function allows({ requestBody }: Operation, schema: Schema | undefined, body: unknown): boolean {
	if (body === undefined) return !requestBody?.required;
	return schema === undefined || ajv.validate(contractSchema(schema), JSON.parse(JSON.stringify(body)));
}

function withKnownIds(operation: Operation, body: unknown): unknown {
	const given = known[operation.id]?.().body;
	if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
	if (typeof given !== 'object' || given === null) return body;
	if (operation.service === 'auth') return { ...body, ...given };
	const ids = Object.entries(given).filter(([name]) =>
		/^(id|guid|bookingGuid|bookingRootId|campaignId|customerId|contactId|Id)$/.test(name),
	);
	return { ...body, ...Object.fromEntries(ids) };
}

/**
 * What a request takes over from one that is accepted: its ids, so that many get as far as changing something, or all but
 * the headers, so that each operation is reached whatever is drawn.
 */
type Keeps = 'nothing' | 'ids' | 'all';

interface FuzzedCall {
	operation: Operation;
	input: CallInput;
	keeps: Keeps;
}

const calls: fc.Arbitrary<FuzzedCall> = fc.constantFrom(...operations).chain((operation) => {
	const schema = bodySchema(operation);
	const queries = operation.parameters.filter((one) => one.in === 'query');
	const paths = operation.parameters.filter((one) => one.in === 'path');
	const tokenForm = fc.dictionary(
		fc.constantFrom('grant_type', 'client_id', 'client_secret', 'scope', 'resource'),
		fc.string({ unit: 'grapheme' }),
	);
	return fc.record({
		operation: fc.constant(operation),
		keeps: fc.constantFrom<Keeps>('nothing', 'nothing', 'ids', 'ids', 'all'),
		input: fc.record({
			path: fc.record(Object.fromEntries(paths.map(({ name }) => [name, parameter]))),
			query: fc.record(
				Object.fromEntries(
					queries.map((one) => [
						one.name,
						fc.oneof(
							valueOf(one.schema, true).filter((value) => typeof value !== 'object'),
							dateTime,
							parameter,
						),
					]),
				),
				{ requiredKeys: [] },
			),
			headers: fc.oneof(
				{ weight: 8, arbitrary: fc.constant({}) },
				{ weight: 1, arbitrary: fc.record({ system: header }) },
				{ weight: 1, arbitrary: fc.record({ digest: header, date: header }, { requiredKeys: [] }) },
				{ weight: 1, arbitrary: fc.record({ authorization: header }) },
			),
			body:
				operation.service === 'auth'
					? tokenForm
					: schema
						? fc.oneof(valueOf(schema, true), valueOf(schema, false))
						: fc.constant(undefined),
		}) as fc.Arbitrary<CallInput>,
	});
});

test('answers any request by the contract: no 5xx, no crash, and 400 to every body the contract does not allow', async () => {
	const seen = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(calls, async ({ operation, input, keeps }) => {
			const schema = bodySchema(operation);
			const own = known[operation.id]?.() ?? {};
			const bodies: Record<Keeps, () => unknown> = {
				nothing: () => input.body,
				ids: () => withKnownIds(operation, input.body),
				all: () => own.body,
			};
			const body = bodies[keeps]();
			const sent = { ...input, ...(keeps === 'nothing' ? {} : { path: own.path, query: own.query }), body };
			const { status } = await client.call(operation.id, sent);
			const bare = Object.keys(input.headers ?? {}).length === 0;
			if (status >= 500) throw new Error(`${status}`);
			if (
				keeps !== 'nothing' &&
				bare &&
				operation.service !== 'auth' &&
				!allows(operation, schema, body) &&
				status !== 400
			) {
				throw new Error(`${status} to a body that the contract does not allow`);
			}
			const outcome = `${operation.id} ${Math.floor(status / 100)}xx`;
			seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
		}),
		{ numRuns: REQUESTS, endOnFailure: false },
	);
	const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
	expect(total).toBeGreaterThanOrEqual(REQUESTS);
	for (const { id } of operations) {
		const [accepted = 0, refused = 0] = ['2xx', '4xx'].map((kind) => seen.get(`${id} ${kind}`));
		expect([id, accepted > 0, accepted + refused > REQUESTS / 100]).toEqual([id, true, true]);
	}
	const stats = await sandbox.control<{ byStatus: Record<string, number> }>('GET', '/stats');
	expect(Object.keys(stats.byStatus).filter((status) => Number(status) >= 500 || status === 'cut')).toEqual(
		[],
	);
	expect(sandbox.child.tail).toBe(JSON.stringify(sandbox.info));
}, 180_000);
