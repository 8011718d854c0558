import fc from 'fast-check';
import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { bookingService } from '../../nodes/HospitalityBooking/resources';
import { paymentService } from '../../nodes/HospitalityPayment/resources';
import type { ValueKind } from '../../nodes/shared/values/address';
import { ALL_NAMES, type Field } from '../../nodes/shared/operation/fields';
import type { Operation } from '../../nodes/shared/operation/operation';
import { generated } from '../support/thorough';
import { sampleValue } from '../support/sampleForm';
import { createEngine, type Engine, type Run } from './support/engine';
import { type TestServer, credentialsAt, sendJson, startServer } from './support/server';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
/** Runs of an operation, each with this many items that hold one hostile value each: in `npm run test:all` 200 cases and more. */
const RUNS = generated(1, 8);
const ITEMS = 26;

interface Received {
	method: string;
	/** As it stood in the request line. */
	url: string;
	item: string;
}

/** One value of a form that an expression fills in. */
interface Slot {
	label: string;
	/** Puts the expression where the form keeps the value. */
	put(parameters: INodeParameters, expression: string): void;
	/** undefined where the form need not be filled in. */
	valid: unknown;
}

interface Target {
	id: string;
	node: string;
	resource: string;
	operation: Operation;
	slots: Slot[];
}

const PATH_VALUES: Record<ValueKind, { valid: string; pattern: string }> = {
	guid: { valid: GUID, pattern: '[0-9a-fA-F-]{36}' },
	int32: { valid: '1001', pattern: '[1-9]\\d{0,9}' },
	int64: { valid: '1001', pattern: '[1-9]\\d{0,15}' },
	text: { valid: 'campaign-1', pattern: '[^/?#]+' },
};

function validValue({ type, name }: INodeProperties, kind?: ValueKind): unknown {
	if (kind) return PATH_VALUES[kind].valid;
	if (type === 'dateTime') return /end/i.test(name) ? '2026-12-25T18:00:00Z' : '2026-12-24T18:00:00Z';
	if (type === 'json') return '[]';
	if (type === 'number') return 2;
	if (type === 'fixedCollection') return { entry: [{ ruleId: 311, start: '2026-12-24T18:00:00Z' }] };
	return 'plan-1001';
}

function put(property: INodeProperties, into: INodeParameters, expression: string): void {
	into[property.name] =
		property.type === 'resourceLocator'
			? ({ __rl: true, mode: 'id', value: expression } as unknown as INodeParameters)
			: expression;
}

function slotOf(property: INodeProperties, collection?: string, kind?: ValueKind): Slot {
	return {
		label: property.displayName,
		valid: property.required ? validValue(property, kind) : undefined,
		put: (parameters, expression) => {
			if (collection === undefined) return put(property, parameters, expression);
			put(property, (parameters[collection] ??= {}) as INodeParameters, expression);
		},
	};
}

function slotsOf(operation: Operation): Slot[] {
	const { pathFields = [], parameters = [], query = [], afterCall, body, output } = operation;
	return [
		...pathFields.map(({ property, kind }) => slotOf(property, undefined, kind)),
		...parameters.filter(({ noDataExpression }) => !noDataExpression).map((property) => slotOf(property)),
		...[...query, ...(afterCall ? [afterCall] : [])].flatMap(({ collection, fields }) =>
			fields.map((field) => withSample(slotOf(field.property, collection?.name), field)),
		),
		...(body?.sections ?? []).flatMap(({ collection, fields }, section) =>
			fields.flatMap((field, index) => {
				const { at, property, entries = [] } = field;
				if (property.type === 'resourceMapper')
					return entries.map((entry) => mapperSlot(property.name, entry.property));
				const isChange =
					collection?.name === 'anotherCustomer' ||
					(body?.identifiedBy !== undefined && section + index === 0);
				return [withSample(slotOf(property, collection?.name, kindOf(at)), field, isChange || field.narrows)];
			}),
		),
		...(output.kind === 'list'
			? [slotOf({ displayName: 'Limit', name: 'limit', type: 'number', default: 50, required: true })]
			: []),
	];
}

/** With a value that is always there, for a field that must not come out empty. */
function withSample(slot: Slot, field: Field, isNeeded = field.narrows): Slot {
	if (field.at === ALL_NAMES) return { ...slot, valid: ['includeTableArticles'] };
	return isNeeded && slot.valid === undefined ? { ...slot, valid: sampleValue(field) } : slot;
}

/** What names the record in a body: a GUID, a number or, for a subscription's `Id`, a text. */
function kindOf(at: string): ValueKind | undefined {
	if (at.endsWith('Guid')) return 'guid';
	return /\wId$/.test(at) ? 'int64' : undefined;
}

/** n8n keeps the values of a resource mapper one level down. */
function mapperSlot(mapper: string, property: INodeProperties): Slot {
	return {
		label: property.displayName,
		valid: property.required ? GUID : property.name === 'name' ? 'Toast Skagen' : undefined,
		put: (parameters, expression) => {
			const mapping = (parameters[mapper] ??= {
				mappingMode: 'defineBelow',
				schema: [],
				value: {},
			}) as unknown as { value: INodeParameters };
			mapping.value[property.name] = expression;
		},
	};
}

const targets: Target[] = [
	{ node: 'hospitalityBooking', service: bookingService },
	{ node: 'hospitalityPayment', service: paymentService },
].flatMap(({ node, service }) =>
	service.resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({
			id: `${resource}.${operation.value}`,
			node,
			resource,
			operation,
			slots: slotsOf(operation),
		})),
	),
);

/** n8n's own expressions cannot read an item with these names in it. */
const UNREADABLE =
	/"(toString|valueOf|constructor|__\w+__|hasOwnProperty|isPrototypeOf|toLocaleString|propertyIsEnumerable)":/;

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown>(
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
		'9007199254740993',
		'99999999999999999999999999',
	),
	fc.constantFrom<unknown>(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, -1e308, Number.NaN, Number.POSITIVE_INFINITY),
	fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { a: 1 }, [1, 'two'], { entry: 'x' }),
	fc.string({ unit: 'grapheme', maxLength: 30 }),
	fc.webPath(),
	fc.double(),
	fc.jsonValue({ maxDepth: 2 }).filter((value) => !UNREADABLE.test(JSON.stringify(value))),
);

let server: TestServer;
let engine: Engine;
let received: Received[] = [];

/** Answers every call with success and remembers it. */
async function startRecorder(): Promise<TestServer> {
	return await startServer(({ method, url, headers, body }, response) => {
		const isToken =
			url === '/connect/token' || (url === '/authentication' && headers['x-item'] === undefined);
		if (!isToken) received.push({ method, url, item: String(headers['x-item']) });
		sendJson(response, answerTo(url, isToken, body));
	});
}

function answerTo(url: string, isToken: boolean, body: string): unknown {
	if (isToken)
		return {
			access_token: 't'.repeat(20),
			expires_in: 3600,
			AuthenticationToken: 's',
			IsAuthenticated: true,
		};
	if (url.includes('batch-update')) return JSON.parse(body) as unknown;
	return /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(url) ? [] : {};
}

beforeAll(async () => {
	server = await startRecorder();
	engine = await createEngine({ credentials: credentialsAt(server.url) });
});

afterAll(async () => await server.close());

async function run(
	{ node, resource, operation }: Target,
	parameters: INodeParameters,
	items: IDataObject[],
): Promise<Run> {
	received = [];
	return await engine.execute({
		node,
		parameters: {
			resource,
			operation: operation.value,
			options: { extraHeaders: { entry: [{ name: 'X-Item', value: '={{ $itemIndex }}' }] } },
			...parameters,
		},
		items,
		onError: 'continueErrorOutput',
	});
}

/** Checks what came of a run: every item was either sent to its own path, or refused by name. */
function check(target: Target, labels: readonly string[], outcome: Run, items: number): void {
	const { method, path, pathFields = [], executeBatch } = target.operation;
	const own = new RegExp(
		`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => {
			const field = pathFields.find(({ at }) => at === name);
			return PATH_VALUES[field?.kind ?? 'text'].pattern;
		})}(\\?.*)?$`,
	);
	expect(outcome.error).toBeUndefined();
	for (const call of received) {
		expect(call.method).toBe(method);
		expect(call.url).toMatch(own);
		for (const step of call.url.split('?')[0]?.split('/') ?? [])
			expect(['.', '..']).not.toContain(decodeURIComponent(step));
	}
	const refused = outcome.output(1).map(({ json, error }, index) => ({
		item: outcome.itemsOf(1)[index]?.[0],
		message: String(error?.message ?? json.error),
	}));
	for (const { item, message } of refused) {
		expect(message).not.toMatch(/TypeError|RangeError|Cannot read|is not a function|is not iterable/);
		expect(labels.filter((label) => message.startsWith(`'${label}`))).not.toEqual([]);
		expect(message).toContain(`[item ${String(item)}]`);
	}
	if (executeBatch) return;
	const sent = received.map(({ item }) => Number(item));
	for (let item = 0; item < items; item++)
		expect([item, sent.includes(item)]).toEqual([item, !refused.some((one) => one.item === item)]);
}

describe.each(targets)('$id', (target) => {
	const { slots, operation } = target;
	const titles = (operation.body?.sections ?? []).flatMap(({ collection }) => collection?.displayName ?? []);
	const labels = [...slots.map(({ label }) => label), ...titles, 'JSON', 'Article'];

	test('refuses hostile values by name, sends nothing elsewhere, and goes on with what is right', async () => {
		const indices = slots.map((_, index) => index);
		const required = indices.filter((index) => slots[index]?.valid !== undefined);
		await fc.assert(
			fc.asyncProperty(
				fc.shuffledSubarray(indices, { maxLength: Math.min(6, indices.length) }),
				fc.array(fc.tuple(fc.nat(), hostileValue), { minLength: ITEMS - 1, maxLength: ITEMS - 1 }),
				async (chosen, cases) => {
					const bound = [...new Set([...required, ...chosen])];
					const parameters: INodeParameters = {};
					for (const index of bound) slots[index]?.put(parameters, `={{ $json["v${index}"] }}`);
					const right: IDataObject = Object.fromEntries(
						bound.map((index) => [`v${index}`, slots[index]?.valid]),
					) as IDataObject;
					const items = [
						right,
						...cases.map(([at, value]) => ({
							...right,
							[`v${bound[at % Math.max(bound.length, 1)]}`]: value,
						})),
					] as IDataObject[];
					const outcome = await run(target, parameters, items);

					check(target, labels, outcome, items.length);
					expect(outcome.json(1).filter((_, index) => outcome.itemsOf(1)[index]?.[0] === 0)).toEqual([]);
				},
			),
			{ numRuns: RUNS, endOnFailure: true },
		);
	});

	test('refuses a hostile body by name', async () => {
		if (!operation.body) return;
		const { example } = operation.body;
		const parameters: INodeParameters = { bodyMode: 'json', jsonBody: '={{ $json.body }}' };
		for (const slot of slots.slice(0, operation.pathFields?.length ?? 0))
			slot.put(parameters, String(slot.valid));
		const broken = fc
			.tuple(fc.constantFrom(...Object.keys(example as object)), hostileValue)
			.map(([name, value]) => ({ ...(example as object), [name]: value }));
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.oneof(hostileValue, broken), { minLength: ITEMS, maxLength: ITEMS }),
				async (bodies) => {
					const items = [{ body: example }, ...bodies.map((body) => ({ body }))] as IDataObject[];
					const outcome = await run(target, parameters, items);

					check(target, labels, outcome, items.length);
					expect(outcome.json(1).filter((_, index) => outcome.itemsOf(1)[index]?.[0] === 0)).toEqual([]);
				},
			),
			{ numRuns: RUNS, endOnFailure: true },
		);
	});
});

test('refuses 51 articles in one body, by name, and sends nothing', async () => {
	const target = targets.find(({ id }) => id === 'article.batchUpdate');
	if (!target) throw new Error('There is no article.batchUpdate.');
	const article = { articleId: GUID, name: 'Toast' };
	const outcome = await run(
		target,
		{ companyId: GUID, brandId: GUID, bodyMode: 'json', jsonBody: '={{ $json.body }}' },
		[{ body: { items: Array.from({ length: 51 }, () => article) } }],
	);

	expect(outcome.json(1)[0]?.error).toMatch(/^'JSON: items' has too many entries .* \[item 0\]$/);
	expect(received).toEqual([]);
});
