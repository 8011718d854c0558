import { setImmediate } from 'node:timers/promises';
import get from 'lodash/get';
import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { openAccount } from '../../../../nodes/shared/auth/account';
import { checkSameForAllItems } from '../../../../nodes/shared/auth/sameForAll';
import { CallError } from '../../../../nodes/shared/errors/failure';
import { type ErrorContext, toNodeError } from '../../../../nodes/shared/errors/nodeErrors';
import type { ItemRequest } from '../../../../nodes/shared/operation/operation';
import { executeNode } from '../../../../nodes/shared/run/run';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';
import { OTHER_TYPES } from '../../../engine/support/hostileResponses';
import { type Form, GUID, RECORDS, type Row, fullForm, rows } from '../../../support/sampleForm';

jest.mock('../../../../nodes/shared/auth/account');
jest.mock('../../../../nodes/shared/auth/sameForAll');

const rowOf = (id: string) => rows.find((row) => row.id === id) as Row;

/** Runs an operation for one item, or one of each form, against a service that answers everything with `body` or fails with it. */
async function run(
	row: Row,
	form: Form | Form[],
	{ signal, ...settings }: Partial<INode> & { signal?: AbortSignal } = {},
	body: unknown = [],
) {
	const [resource, operation] = row.id.split('.');
	const forms = [form].flat().map((one) => ({ ...one, resource, operation }));
	const [parameters] = forms;
	let [underWay, most, calls] = [0, 0, 0];
	const sent: unknown[] = [];
	const call = async (request: ItemRequest, errorContext: ErrorContext) => {
		calls++;
		sent.push(request.body);
		most = Math.max(most, ++underWay);
		await setImmediate();
		underWay--;
		if (body instanceof CallError) throw toNodeError(errorContext, body);
		return { status: 200, headers: { location: '/v1/x' }, body };
	};
	jest.mocked(openAccount).mockResolvedValue({
		...{ call, credentials: { customerId: 'a', password: 'b' }, statusRoles: {}, timeZone: 'UTC' },
		...{ queue: { ready: async () => {} }, currentSecrets: () => [], deployment: {} },
	} as unknown as Awaited<ReturnType<typeof openAccount>>);
	const node = { name: 'Node', type: 'x.node', parameters, ...settings } as unknown as INode;
	const hints: string[] = [];
	const context = {
		getNode: () => node,
		getInputData: () => forms.map(({ input = {} }: Form) => ({ json: input })),
		getNodeParameter: (name: string, item: number) => get(forms[item], name) as unknown,
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => settings.onError !== undefined,
		addExecutionHints: ({ message }: { message: string }) => void hints.push(message),
	} as unknown as IExecuteFunctions;
	const [items = []] = await executeNode(context, row.service);
	return { output: items.map(({ json }) => json), items, hints, most, calls, sent };
}

const customers = rowOf('customer.getAll');
const thirty = Array.from({ length: 30 }, (_, id) => ({ id, information: 'x'.repeat(5_000) }));
const listing = { output: 'raw', filters: {}, options: {} };

describe("n8n's 'Retry On Fail'", () => {
	test.each(rows)('is refused by name where it would make a change twice: $id', async (row) => {
		const outcome = run(row, fullForm(row), { retryOnFail: true }, {});

		if (row.id in RECORDS)
			await expect(outcome).rejects.toThrow(
				"'Retry On Fail' is on, which would make changes twice",
			);
		else await expect(outcome).resolves.toBeDefined();
	});
});

describe('a list', () => {
	test('ends at Limit and says so in a hint', async () => {
		const { output, hints } = await run(customers, { ...listing, limit: 7 }, {}, thirty);

		expect(output).toEqual(thirty.slice(0, 7));
		expect(hints).toEqual([expect.stringContaining("left out by 'Limit': 23.")]);
	});

	test('of a tool says in its data what Limit left out', async () => {
		const { output } = await run(
			customers,
			{ ...listing, limit: 7 },
			{ type: 'x.nodeTool' },
			thirty,
		);

		expect(output).toHaveLength(8);
		expect(output.at(-1)).toEqual({
			missing: 23,
			note: expect.stringContaining("left out by 'Limit': 23."),
		});
	});

	test('of a tool ends before 60,000 characters and says what is missing', async () => {
		const all = { ...listing, returnAll: true };
		const { output } = await run(customers, all, { type: 'x.nodeTool' }, thirty);

		expect(output.slice(0, -1)).toEqual(thirty.slice(0, output.length - 1));
		expect(JSON.stringify(output).length).toBeLessThanOrEqual(60_000);
		expect(JSON.stringify([...output, thirty[20]]).length).toBeGreaterThan(60_000);
		expect(output.at(-1)).toMatchObject({ missing: 31 - output.length });
		expect((await run(customers, all, {}, thirty)).output).toEqual(thirty);
	});
});

describe('a tool that lists', () => {
	const lists = rows.filter(({ operation }) => operation.output.kind === 'list');
	const filtersOfLists = lists.flatMap((row) =>
		row.fields
			.filter(({ collection, mustNotBeEmpty }) => collection === 'filters' && mustNotBeEmpty)
			.map((field) => ({ id: row.id, row, name: field.property.name, field })),
	);

	/** The form with one filter, which comes to a value. */
	const formWith = (row: Row, name: string, value: unknown) => ({
		...fullForm(row),
		filters: { [name]: value },
	});

	test.each(filtersOfLists)(
		'takes a filter that a model left blank for none, and says what was asked: $id $name',
		async ({ row, name, field }) => {
			const stored = formWith(row, name, "={{ $fromAI('Filter', '', 'string') }}");
			const parameters = { ...stored, resource: row.id.split('.')[0], operation: 'getAll' };
			for (const blank of ['', null, ' ']) {
				const node = { type: 'x.nodeTool', parameters: parameters as INode['parameters'] };
				const { output } = await run(row, formWith(row, name, blank), node, [{ id: 1 }]);

				expect(output).toHaveLength(2);
				const { note } = output[1] as { note: string };
				expect(note).toContain(`left blank, and were not used: ${field.property.displayName}.`);
			}
		},
	);

	test.each(filtersOfLists)(
		'refuses a blank of any other expression: $id $name',
		async ({ row, name, field }) => {
			const stored = formWith(row, name, '={{ $json.filter }}');
			const parameters = { ...stored, resource: row.id.split('.')[0], operation: 'getAll' };
			const node = { type: 'x.nodeTool', parameters: parameters as INode['parameters'] };
			const refused = run(row, formWith(row, name, ''), node, [{ id: 1 }]);

			await expect(refused).rejects.toThrow(`'${field.property.displayName}' is empty`);
		},
	);

	test('returns one row that says what was asked for where nothing is found', async () => {
		const row = rowOf('customer.getAll');
		const form = { ...listing, filters: { changedFromUtc: '2031-05-01T18:00:00Z' } };
		const { output } = await run(row, form, { type: 'x.nodeTool' }, []);

		expect(output).toEqual([
			{ note: "Nothing was found. Asked for: 'Changed After' 2031-05-01T18:00:00Z" },
		]);
		expect((await run(row, form, {}, [])).output).toEqual([]);
	});
});

test('changes of one record go one after the other, in whatever letters its GUID is written, and those of others beside', async () => {
	const row = rowOf('webBooking.cancel');
	const parameters = { ...fullForm(row), webBookingId: '={{ $json.guid }}' } as INode['parameters'];
	const mostAtOnce = async (...guids: string[]) => {
		const forms = guids.map((webBookingId) => ({ ...fullForm(row), webBookingId }));
		return (await run(row, forms, { parameters }, {})).most;
	};

	expect(await mostAtOnce(GUID, GUID.toUpperCase())).toBe(1);
	expect(await mostAtOnce(GUID, GUID.replace('3f', '4f'))).toBe(2);
});

test('items that are all the same come out as their own', async () => {
	const { items } = await run(customers, [listing, listing], {}, [{ id: 1 }, { id: 2 }]);

	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 0, 1, 1].map((item) => ({ item })));
});

test('columns that are mapped automatically are those of each item, and told where no field has their name', async () => {
	const row = rowOf('article.batchUpdate');
	const article = { mappingMode: 'autoMapInputData', value: null, schema: [] };
	const inputs = ['Soup', 'Fish'].map((name, index) => ({
		articleId: GUID.replace('3f', `4${index}`),
		name,
	}));
	const forms = inputs.map((input) => ({
		...fullForm(row),
		article,
		input: { ...input, stock: 3 },
	}));
	const { sent, hints } = await run(row, forms, {}, { items: inputs });

	expect(sent).toEqual([{ items: inputs }]);
	expect(hints).toEqual([expect.stringMatching(/no field has their name: stock\.$/)]);
});

test('all bad rows of a price list come in one message, counted as n8n counts items, and nothing is sent', async () => {
	const row = rowOf('article.batchUpdate');
	const article = { mappingMode: 'autoMapInputData', value: null, schema: [] };
	const same = GUID.toUpperCase();
	const inputs = [
		{ articleId: GUID, name: 'Soup' },
		{ articleId: GUID.replace('3f', '4f'), name: 'Fish' },
		{ articleId: GUID.replace('3f', '5f'), 'Regular Price Incl. VAT': 'free' },
		{ articleId: same, name: 'Soup again' },
		{ 'Article ID': '', name: 'Cake' },
		{ name: 'Coffee' },
	];
	const forms = inputs.map((input) => ({ ...fullForm(row), article, input }));
	const outcome = run(row, forms, {}, {});

	await expect(outcome).rejects.toThrow(
		[
			"'Article ID' is also in item 3 ('Soup again') – Update articles in batches [item 0]",
			"Also: item 2: 'Regular Price Incl. VAT' is not a number ('free'); item 3: 'Article ID' is also in item 0 ('Soup'); items 4–5: 'Article ID' is empty",
			'Of the other items, 0 succeeded, 4 failed and 1 had not started',
		].join('. '),
	);
});

test.each([
	['a cancelled execution', { signal: AbortSignal.abort() }],
	['a credential that differs by item', {}],
])('%s makes no call', async (_, settings) => {
	const differs = new InvalidValueError('System', 'differs', 'Use one');
	if (!('signal' in settings)) jest.mocked(checkSameForAllItems).mockRejectedValueOnce(differs);
	const { calls, items } = await run(customers, listing, {
		...settings,
		onError: 'continueErrorOutput',
	});

	expect([calls, items.filter(({ json }) => !json.error)]).toEqual([0, []]);
});

test.each([
	['***', {}],
	['token', { includeToken: true }],
])(
	"Authenticate outputs the response's Location, and the token as %s with the options %j",
	async (shown, options) => {
		const body = { IsAuthenticated: true, AuthenticationToken: 'token' };
		const { output } = await run(rowOf('customer.authenticate'), { options }, {}, body);
		expect(output).toEqual([
			{ IsAuthenticated: true, AuthenticationToken: shown, Location: '/v1/x' },
		]);
	},
);

test.each([
	[
		'subscription.get',
		404,
		'The subscription plan is not registered',
		"'Subscription Plan ID' of this item",
	],
	[
		'subscription.get',
		401,
		'The service rejected the session, and a new one too',
		"'Customer ID', 'Password' and",
	],
	[
		'customer.authenticate',
		401,
		'The service rejected the customer',
		"'Customer ID' and 'Password' of this item",
	],
])(
	'a rejection is in the words of its operation, else of its service: %s, %i',
	async (id, status, message, hint) => {
		const row = rowOf(id);
		await expect(
			run(row, fullForm(row), {}, new CallError({ kind: 'status', status })),
		).rejects.toMatchObject({
			message: expect.stringContaining(`${message} (${status})`) as string,
			description: expect.stringContaining(hint) as string,
		});
	},
);

describe.each([
	'customer.getAll',
	'article.batchUpdate',
	'subscription.get',
	'customer.authenticate',
])('a setting that cannot be used: %s', (id) => {
	const row = rowOf(id);
	const form = (options: object) => ({ ...fullForm(row), options });
	const onError = 'continueErrorOutput';

	test.each([
		['out of bounds', { timeout: 0 }, { timeout: 0 }, "'Timeout' is 0"],
		[
			'empty',
			{ giveUpAfter: null },
			{ giveUpAfter: '={{ null }}' },
			"'Give Up After (Minutes)' is empty",
		],
	])('%s fails each item and makes no call', async (_, evaluated, stored, said) => {
		const forms = [1, 2, 3].map(() => form(evaluated));
		const parameters = form(stored) as INode['parameters'];
		const { items, calls } = await run(row, forms, { onError, parameters }, {});

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		for (const { json } of items) expect(json.error).toContain(said);
		expect(calls).toBe(0);
		await expect(run(row, forms, { parameters }, {})).rejects.toThrow(said);
	});
});

test("a 'System' of one item concerns that item alone", async () => {
	const forms = ['mine', '', 'mine'].map((system) => ({ ...listing, options: { system } }));
	const parameters = { ...listing, options: { system: '={{ $json.system }}' } };
	const { items, calls } = await run(
		customers,
		forms,
		{ onError: 'continueErrorOutput', parameters },
		[{ id: 1 }],
	);

	expect(items.map(({ json, pairedItem }) => [json.error ?? json.id, pairedItem])).toEqual([
		[1, { item: 0 }],
		[expect.stringMatching(/'System' is empty.*\[item 1\]/), { item: 1 }],
		[1, { item: 2 }],
	]);
	expect(calls).toBe(2);
});

describe('a check-out', () => {
	const row = rowOf('checkoutBooking.checkOut');
	const form = (more: Form = {}) => ({
		bookingRootId: 7,
		output: 'simplified',
		options: {},
		...more,
	});
	const general = { message: 'Booking {number} is closed', messageData: { number: 'B7' } };
	const ofProperty = { propertyName: 'tableArticleIds', message: 'No table 9' };
	const errors = { generalErrors: [general], propertyErrors: [ofProperty] };
	const warned = { generalWarnings: [{ message: 'Nobody was checked in' }] };

	test.each([
		['validationResult', { validationResult: errors }],
		[
			'validationResults',
			{ result: {}, validationResult: null, validationResults: { payment: errors } },
		],
	])(
		'fails where a 2xx response has errors in %s, with the data in their texts',
		async (_, body) => {
			await expect(run(row, form(), {}, body)).rejects.toMatchObject({
				message:
					"The service rejected the booking: Booking B7 is closed; 'tableArticleIds': No table 9 – Check out booking and mark for invoicing [item 0]",
				description: expect.stringContaining("'Validation Errors'") as string,
			});
			const { output } = await run(row, form(), { onError: 'continueErrorOutput' }, body);
			expect(output).toMatchObject([
				{
					details: {
						fields: [
							{ message: 'Booking B7 is closed' },
							{ field: 'tableArticleIds', message: 'No table 9' },
						],
					},
				},
			]);
		},
	);

	test("keeps errors and warnings in the output with 'Return in Output', warnings always", async () => {
		const body = { result: { bookingRootId: 7 }, validationResult: { ...errors, ...warned } };
		const returned = await run(row, form({ options: { validationErrors: 'return' } }), {}, body);
		const warning = await run(row, form(), {}, { validationResult: warned });

		expect(returned.output).toMatchObject([
			{
				errors: ['Booking B7 is closed', "'tableArticleIds': No table 9"],
				warnings: ['Nobody was checked in'],
			},
		]);
		expect(warning.output).toMatchObject([{ errors: [], warnings: ['Nobody was checked in'] }]);
	});

	test.each([{}, { validationResult: { generalErrors: [] }, validationResults: {} }])(
		'takes a response without errors as a success: %j',
		async (body) => {
			expect((await run(row, form({ output: 'raw' }), {}, body)).output).toEqual([body]);
		},
	);

	test('without content is a success in every output mode', async () => {
		for (const more of [{}, { output: 'selected', outputFields: ['result'] }])
			expect((await run(row, form(more), {}, null)).output).toEqual([{ success: true }]);
	});
});

describe('a success of another kind than documented', () => {
	const kinds = [
		['a list', customers, { output: 'raw' }],
		['a simplified list', customers, { output: 'simplified' }],
		['a change', rowOf('webBooking.cancel'), {}],
		['a subscription', rowOf('subscription.get'), {}],
	] as const;

	test.each(OTHER_TYPES)('comes out, and breaks nothing: %s', async (text) => {
		for (const [, row, more] of kinds)
			await run(row, { ...fullForm(row), ...more }, {}, JSON.parse(text));
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	test('yields no items where a list is left out, and a text of a call whose success is not documented', async () => {
		expect((await run(customers, listing, {}, null)).output).toEqual([]);
		const message = rowOf('contact.sendGuestMessage');
		expect((await run(message, fullForm(message), {}, 'OK')).output).toEqual([
			{ success: true, response: 'OK' },
		]);
	});
});
