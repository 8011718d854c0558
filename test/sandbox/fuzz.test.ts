import * as fc from 'fast-check';
import set from 'lodash/set';
import type { Operation, Schema } from '../../contract/model';
import { contractSchema, createAjv } from '../../contract/model';
import { generated } from '../support/thorough';
import { bodySchema, contract, fieldsOf, isNullable, operations, typesOf } from './support/contract';
import { useSandbox } from './support/useSandbox';

/** How many requests are made. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? generated(1000, 3000));

/** Where something stands in a request, e.g. `['body', 'times', 0, 'start']`. */
type Place = Array<string | number>;

const FORM = ['grant_type', 'client_id', 'client_secret', 'scope', 'resource'];
const HEADERS = ['system', 'digest', 'date', 'authorization'];

const dateTime = fc
	.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true })
	.map((date) => date.toISOString())
	.chain((text) => fc.constantFrom(text, text.slice(0, 19), `${text.slice(0, 19)}+14:00`));
const anything = fc.oneof(
	fc.jsonValue(),
	fc.constantFrom<unknown>(undefined, null, '', 0, -1, 1e308, 2 ** 53, [], {}, '\u0000', '💥'),
	fc.constantFrom<unknown>(['constructor'], { ['constructor']: 1 }),
);
const ofType: Record<string, fc.Arbitrary<unknown>> = {
	string: fc.oneof(fc.constant(''), fc.string({ maxLength: 40, unit: 'binary' })),
	integer: fc.integer(),
	number: fc.double({ noNaN: true, noDefaultInfinity: true }),
	boolean: fc.boolean(),
	array: fc.constant([]),
	object: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
};

/** Values that a field may have, and sometimes any other. */
function valueOf(schema: Schema): fc.Arbitrary<unknown> {
	const [type = 'string'] = typesOf(schema);
	const byFormat =
		{ 'date-time': dateTime, uuid: fc.uuid() }[schema.format ?? ''] ?? ofType[type] ?? anything;
	return fc.oneof(
		{ weight: 15, arbitrary: schema.enum ? fc.constantFrom(...schema.enum) : byFormat },
		{ weight: 2, arbitrary: isNullable(schema) ? fc.constant(null) : anything },
		{ weight: 1, arbitrary: anything },
	);
}

const word = fc.oneof(
	fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
	fc.integer().map(String),
	dateTime,
	fc.uuid(),
);
const header = fc.string({ unit: fc.constantFrom(...'abcXYZ019 -_/:;=,."%'), maxLength: 30 });

/** Another value, or none, in one place of the requests of an operation. */
function changeOf(called: Operation): fc.Arbitrary<[Place, unknown]> {
	const schema = bodySchema(called);
	const fields = schema ? fieldsOf(schema) : [];
	const parameters = called.parameters.filter((parameter) => parameter.in !== 'header');
	const form = called.service === 'auth' ? FORM : [];
	const change = (place: Place, values: fc.Arbitrary<unknown>) => fc.tuple(fc.constant(place), values);
	const kinds = [
		{ weight: 16, changes: fields.map((field) => change(['body', ...field.path], valueOf(field.schema))) },
		{
			weight: 1,
			changes: schema ? [['body'], ['body', 'unknown']].map((place) => change(place, anything)) : [],
		},
		{ weight: 3, changes: parameters.map((parameter) => change([parameter.in, parameter.name], word)) },
		{ weight: 3, changes: form.map((name) => change(['body', name], word)) },
		{ weight: 1, changes: HEADERS.map((name) => change(['headers', name], header)) },
	];
	return fc.oneof(
		...kinds
			.filter(({ changes }) => changes.length > 0)
			.map(({ weight, changes }) => ({ weight, arbitrary: fc.oneof(...changes) })),
	);
}

const calls = fc
	.constantFrom(...operations)
	.chain((called) => fc.tuple(fc.constant(called), fc.array(changeOf(called), { maxLength: 8 })));

const here = useSandbox({ bookings: 10 });
const ajv = createAjv(contract);

/** Whether the contract allows a body of an operation. */
function allows(called: Operation, body: unknown): boolean {
	const schema = bodySchema(called);
	if (!schema) return true;
	if (body === undefined) return !called.requestBody?.required;
	return ajv.validate(contractSchema(schema), JSON.parse(JSON.stringify(body)));
}

test('answers any request by the contract: no 5xx, no crash, and 400 to every body the contract does not allow', async () => {
	const seen = new Map<string, number>();
	await fc.assert(
		fc.asyncProperty(calls, async ([called, changes]) => {
			const request = structuredClone(here.request(called.id));
			for (const [place, changed] of changes) set(request, place, structuredClone(changed));
			const { status } = await here.client.call(called.id, request);
			if (status >= 500) throw new Error(`${status}`);
			if (changes.every(([[part]]) => part === 'body') && !allows(called, request.body) && status !== 400)
				throw new Error(`${status} to a body that the contract does not allow`);
			const outcome = `${called.id} ${Math.floor(status / 100)}xx`;
			seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
		}),
		{ numRuns: REQUESTS, endOnFailure: false },
	);
	for (const { id } of operations) {
		const [accepted = 0, refused = 0] = ['2xx', '4xx'].map((kind) => seen.get(`${id} ${kind}`));
		expect([id, accepted > 0, accepted + refused > REQUESTS / 100]).toEqual([id, true, true]);
	}
	const stats = await here.control<{ byStatus: Record<string, number> }>('GET', '/stats');
	expect(Object.keys(stats.byStatus).filter((status) => Number(status) >= 500 || status === 'cut')).toEqual(
		[],
	);
	expect(here.sandbox.child.tail).toBe(JSON.stringify(here.sandbox.info));
}, 180_000);
