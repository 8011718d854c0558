import { checkSameForAllItems } from '../../../../nodes/shared/auth/sameForAll';
import { CallError } from '../../../../nodes/shared/errors/failure';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';
import { OTHER_TYPES } from '../../../engine/support/hostileResponses';
import { type Form, GUID, RECORDS, fullForm, rows } from '../../../support/sampleForm';
import {
	execute,
	executeOne,
	rowOf,
	serviceThatAnswers,
	serviceThatFails,
} from '../../support/execution';

jest.mock('../../../../nodes/shared/auth/account');
jest.mock('../../../../nodes/shared/auth/sameForAll');

/** Lists all customers as received. */
const LISTING: Form = { output: 'raw', filters: {}, options: {} };
const GOES_ON = { onError: 'continueErrorOutput' } as const;

describe("n8n's 'Retry On Fail'", () => {
	const changing = rows.filter(({ id }) => id in RECORDS);
	const reading = rows.filter(({ id }) => !(id in RECORDS));

	test.each(changing)('is refused where it would make a change twice: $id', async (row) => {
		serviceThatAnswers({});

		const outcome = executeOne(row.id, fullForm(row), { retryOnFail: true });

		await expect(outcome).rejects.toThrow("'Retry On Fail' is on, which would make changes twice");
	});

	test.each(reading)('is taken where nothing is changed: $id', async (row) => {
		serviceThatAnswers({});

		const outcome = executeOne(row.id, fullForm(row), { retryOnFail: true });

		await expect(outcome).resolves.toBeDefined();
	});
});

describe("'Limit'", () => {
	const nine = Array.from({ length: 9 }, (_, id) => ({ id }));

	test('ends a list and says so in a hint', async () => {
		serviceThatAnswers(nine);

		const { output, hints } = await executeOne('customer.getAll', { ...LISTING, limit: 7 });

		expect(output).toEqual(nine.slice(0, 7));
		expect(hints).toEqual([expect.stringContaining("left out by 'Limit': 2.")]);
	});

	test('counts in its hint what it left out of all items', async () => {
		serviceThatAnswers(nine);
		const items = [1, 9, 5].map((limit) => ({ ...LISTING, limit }));
		const stored = { ...LISTING, limit: '={{ $json.limit }}' };

		const { hints } = await execute({ id: 'customer.getAll', items, stored });

		expect(hints).toEqual([expect.stringContaining("left out by 'Limit': 12.")]);
	});
});

test('a header that the service does not send comes out as null', async () => {
	serviceThatAnswers({ IsAuthenticated: true }, {});

	const { output } = await executeOne(
		'customer.authenticate',
		fullForm(rowOf('customer.authenticate')),
	);

	expect(output).toMatchObject([{ Location: null }]);
});

describe('changes', () => {
	const cancel = rowOf('webBooking.cancel');
	const stored = { ...fullForm(cancel), webBookingId: '={{ $json.guid }}' };
	const canceling = (webBookingId: string): Form => ({ ...fullForm(cancel), webBookingId });

	test('of one record go one after the other, in whatever letters its GUID is written', async () => {
		const asked = serviceThatAnswers({});
		const items = [canceling(GUID), canceling(GUID.toUpperCase())];

		await execute({ id: cancel.id, items, stored });

		expect(asked.mostAtOnce).toBe(1);
	});

	test('of several records go at once', async () => {
		const asked = serviceThatAnswers({});
		const items = [canceling(GUID), canceling(GUID.replace('3f', '4f'))];

		await execute({ id: cancel.id, items, stored });

		expect(asked.mostAtOnce).toBe(2);
	});
});

test('items that are all the same come out as their own', async () => {
	serviceThatAnswers([{ id: 1 }, { id: 2 }]);

	const { rows: output } = await execute({ id: 'customer.getAll', items: [LISTING, LISTING] });

	const links = output.map(({ pairedItem }) => pairedItem);
	expect(links).toEqual([{ item: 0 }, { item: 0 }, { item: 1 }, { item: 1 }]);
});

/** Where in a form an expression stands, and what it comes to for two items. */
interface PlacedExpression {
	where: string;
	id: string;
	expression?: string;
	values?: readonly string[];
	/** How the values appear in requests; as they are by default. */
	sent?: readonly string[];
	/** @returns the form with a text, or with the expression for it */
	put(text: string): Form;
}

const GUIDS = [GUID, GUID.replace('3f', '4f')];

const PLACED_EXPRESSIONS: readonly PlacedExpression[] = [
	{ where: 'alone', id: 'subscription.get', put: (text) => ({ id: text }) },
	{
		where: 'after a text',
		id: 'subscription.get',
		expression: '=plan-{{ $json.x }}',
		put: (text) => ({ id: text }),
	},
	{
		where: 'in a collection',
		id: 'department.update',
		put: (text) => ({ departmentId: 7, updateFields: { name: text } }),
	},
	{
		where: 'in a list',
		id: 'webBooking.update',
		put: (text) => ({
			...fullForm(rowOf('webBooking.update')),
			details: { markings: ['VIP', text] },
		}),
	},
	{
		where: 'in the row of a list',
		id: 'campaign.update',
		put: (text) => ({
			campaignId: 'c',
			marketing: { imageMap: { entry: [{ name: 'small', value: text }] } },
		}),
	},
	{
		where: 'in a locator',
		id: 'webBooking.cancel',
		values: GUIDS,
		put: (text) => ({ webBookingId: { __rl: true, mode: 'id', value: text } }),
	},
	{
		where: 'in a mapper',
		id: 'article.batchUpdate',
		values: GUIDS,
		put: (text) => ({
			...fullForm(rowOf('article.batchUpdate')),
			article: {
				mappingMode: 'defineBelow',
				value: { articleId: text, name: 'Soup' },
				schema: [],
			},
		}),
	},
	{
		where: 'in JSON',
		id: 'department.update',
		expression: '={ "name": "{{ $json.x }}" }',
		values: ['{ "name": "one" }', '{ "name": "two" }'],
		sent: ['"name":"one"', '"name":"two"'],
		put: (text) => ({ departmentId: 7, bodyMode: 'json', jsonBody: text }),
	},
];

describe('each item is sent with its own values where an expression stands', () => {
	test.each(PLACED_EXPRESSIONS)('$where', async (placed) => {
		const { id, expression = '={{ $json.x }}', values = ['one', 'two'], sent = values } = placed;
		const asked = serviceThatAnswers({});
		const items = values.map((value) => placed.put(value));

		await execute({ id, items, stored: placed.put(expression), node: GOES_ON });

		const requests = JSON.stringify(asked.requests);
		for (const text of sent) expect(requests).toContain(text);
	});
});

describe('nothing is sent', () => {
	test('by a canceled execution', async () => {
		const asked = serviceThatAnswers([]);
		const items = [LISTING];

		const { output } = await execute({
			id: 'customer.getAll',
			items,
			signal: AbortSignal.abort(),
			node: GOES_ON,
		});

		expect(asked.requests).toEqual([]);
		expect(output).toEqual([]);
	});

	test('with a credential that differs by item', async () => {
		const asked = serviceThatAnswers([]);
		const differs = new InvalidValueError('System', 'differs', 'Use one');
		jest.mocked(checkSameForAllItems).mockRejectedValueOnce(differs);

		const { output } = await executeOne('customer.getAll', LISTING, GOES_ON);

		expect(asked.requests).toEqual([]);
		expect(output).toMatchObject([{ error: expect.stringContaining("'System' differs") }]);
	});
});

describe.each([
	'customer.getAll',
	'article.batchUpdate',
	'subscription.get',
	'customer.authenticate',
])('a setting that cannot be used fails each item and makes no call: %s', (id) => {
	const withOptions = (options: object): Form => ({ ...fullForm(rowOf(id)), options });

	test.each([
		{
			what: 'out of bounds',
			evaluated: { timeout: 0 },
			stored: { timeout: 0 },
			message: "'Timeout' is 0",
		},
		{
			what: 'empty',
			evaluated: { giveUpAfter: null },
			stored: { giveUpAfter: '={{ null }}' },
			message: "'Give Up After (Minutes)' is empty",
		},
	])('$what', async ({ evaluated, stored, message }) => {
		const asked = serviceThatAnswers({});
		const items = [1, 2, 3].map(() => withOptions(evaluated));
		const execution = { id, items, stored: withOptions(stored) };

		const { rows: output } = await execute({ ...execution, node: GOES_ON });

		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		for (const { json } of output) expect(json.error).toContain(message);
		await expect(execute(execution)).rejects.toThrow(message);
		expect(asked.requests).toEqual([]);
	});
});

test("a 'System' of one item concerns that item alone", async () => {
	const asked = serviceThatAnswers([{ id: 1 }]);
	const items = ['mine', '', 'mine'].map((system) => ({ ...LISTING, options: { system } }));
	const stored = { ...LISTING, options: { system: '={{ $json.system }}' } };

	const { rows: output } = await execute({
		id: 'customer.getAll',
		items,
		stored,
		node: GOES_ON,
	});

	expect(output).toMatchObject([
		{ json: { id: 1 }, pairedItem: { item: 0 } },
		{
			json: { error: expect.stringMatching(/'System' is empty.*\[item 1\]/) },
			pairedItem: { item: 1 },
		},
		{ json: { id: 1 }, pairedItem: { item: 2 } },
	]);
	expect(asked.requests).toHaveLength(2);
});

test.each([
	{
		id: 'subscription.get',
		status: 404,
		message: 'The subscription plan is not registered',
		hint: "'Subscription Plan ID' of this item",
	},
	{
		id: 'subscription.get',
		status: 401,
		message: 'The service rejected the session, and a new one too',
		hint: "'Customer ID', 'Password' and",
	},
	{
		id: 'customer.authenticate',
		status: 401,
		message: 'The service rejected the customer',
		hint: "'Customer ID' and 'Password' of this item",
	},
])(
	'a rejection is in the words of its operation, else of its service: $id, $status',
	async ({ id, status, message, hint }) => {
		serviceThatFails(new CallError({ kind: 'status', status }));

		const outcome = executeOne(id, fullForm(rowOf(id)));

		await expect(outcome).rejects.toMatchObject({
			message: expect.stringContaining(`${message} (${status})`) as string,
			description: expect.stringContaining(hint) as string,
		});
	},
);

describe('a success of another kind than documented', () => {
	const operations = [
		{ what: 'a list', id: 'customer.getAll', output: 'raw' },
		{ what: 'a simplified list', id: 'customer.getAll', output: 'simplified' },
		{ what: 'a change', id: 'webBooking.cancel', output: 'simplified' },
		{ what: 'a subscription', id: 'subscription.get', output: 'simplified' },
	];

	describe.each(operations)('of $what', ({ id, output }) => {
		test.each(OTHER_TYPES)('comes out, and breaks nothing: %s', async (text) => {
			serviceThatAnswers(JSON.parse(text));

			await executeOne(id, { ...fullForm(rowOf(id)), output });

			expect(Object.prototype).not.toHaveProperty('polluted');
		});
	});

	test('yields no items where a list is left out', async () => {
		serviceThatAnswers(null);

		const { output } = await executeOne('customer.getAll', LISTING);

		expect(output).toEqual([]);
	});

	test('yields the text of a call whose success is not documented', async () => {
		serviceThatAnswers('OK');
		const form = fullForm(rowOf('contact.sendGuestMessage'));

		const { output } = await executeOne('contact.sendGuestMessage', form);

		expect(output).toEqual([{ success: true, response: 'OK' }]);
	});
});
