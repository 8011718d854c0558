import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId } from '../../support/operation';
import { type Engine, type Run, createEngine } from '../../support/engine';
import { useExpressionEngine } from '../../support/host';
import { type TestServer, sendJson, startServer, tokenFor } from '../../support/server';

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const TIMES = { getBy: 'bookingTime', startTime: '2026-12-24T00:00:00Z', endTime: '2026-12-25T00:00:00Z' };
const UPDATE = { webBookingId: byId(GUID), timeSetDate: '2026-12-24T18:00:00Z', guests: 2, times: {} };
const CANCEL = { webBookingId: byId(GUID) };
const HALF = '\ud83d';

let server: TestServer;
let engine: Engine;

beforeAll(async () => {
	server = await startServer((request, response) => {
		sendJson(response, tokenFor(request) ?? (request.method === 'GET' ? [] : {}));
	});
});

afterAll(async () => await server.close());

const credential = (system: string) => ({
	baseUrl: server.url,
	authUrl: server.url,
	clientId: 'client',
	clientSecret: 'secret',
	system,
});

beforeEach(async () => {
	engine = await createEngine({ credentials: { hospitalityBookingApi: credential('the-system') } });
	server.received.length = 0;
});

async function run(id: string, parameters: object, item: IDataObject = {}): Promise<Run> {
	const [resource = '', operation = ''] = id.split('.');
	return await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource, operation, ...parameters } as INodeParameters,
		items: [item],
	});
}

const sent = () => server.received.filter(({ url }) => url !== '/connect/token');

async function expectRefused({ error }: Run, message: string): Promise<void> {
	expect(error?.message).toContain(message);
	expect(error?.message).toContain('[item 0]');
	expect(error?.description).toEqual(expect.stringMatching(/\w/));
	expect(sent()).toEqual([]);
}

const withJson = (value: string) => ({ departmentId: '3', bodyMode: 'json', jsonBody: `={{ ${value} }}` });
/** With a field that the contract does not have. */
const withMore = (value: string) => ({
	...withJson(`({ name: "x", more: ${value} })`),
	options: { allowUnknownFields: true },
});
const withOption = (option: object) => ({ ...CANCEL, options: option });
const nameAndValue = (value: string) => ({ entry: [{ name: 'X-Source', value }] });

describe('refuses by name, and sends nothing:', () => {
	it.each<[string, string, object, string]>([
		[
			'a path that is NaN',
			'campaign.update',
			{ campaignId: '={{ NaN }}' },
			"'Campaign ID' must be a text, not 'NaN'",
		],
		[
			'a query text that is infinite',
			'checkoutBooking.cancelToBeInvoiced',
			{ alias: '={{ 1 / 0 }}' },
			"'Alias' must be a text, not 'Infinity'",
		],
		[
			'a number as a program writes it',
			'webBooking.update',
			{ ...UPDATE, guests: '={{ "0x10" }}' },
			"'Guests' is not a whole number",
		],
		[
			'NaN in a list of texts',
			'webBooking.update',
			{ ...UPDATE, details: { markings: '={{ ["VIP", NaN] }}' } },
			"'Markings' contains a value that is not a text",
		],
		['a System that is NaN', 'webBooking.cancel', withOption({ system: '={{ NaN }}' }), "'System' is not"],
		[
			'a System with half a character',
			'webBooking.cancel',
			withOption({ system: '={{ $json.half }}' }),
			"'System' contains an unpaired surrogate",
		],
		[
			'a System that would arrive as another one',
			'webBooking.cancel',
			withOption({ system: '={{ "my\\u200b-restaurant" }}' }),
			"'System' contains a character that a header cannot carry (U+200B)",
		],
		[
			'a header with a line break',
			'webBooking.cancel',
			withOption({ extraHeaders: nameAndValue('={{ "a\\nb" }}') }),
			"'Extra Headers 1' contains a character that a header cannot carry (U+000A)",
		],
		[
			'a header that is an object',
			'webBooking.cancel',
			withOption({ extraHeaders: nameAndValue('={{ ({ a: 1 }) }}') }),
			"'Extra Headers 1' is not a text",
		],
		[
			'a query parameter that is NaN',
			'webBooking.cancel',
			withOption({ extraQuery: nameAndValue('={{ NaN }}') }),
			"'Extra Query Parameters 1' is not a text",
		],
		[
			'JSON with half a character',
			'department.update',
			withJson('({ name: $json.half })'),
			"'JSON: name' contains an unpaired surrogate",
		],
		[
			'JSON text with half a character, escaped',
			'department.update',
			{ ...withJson(''), jsonBody: '{ "name": "a\\ud83d" }' },
			"'JSON: name' contains an unpaired surrogate",
		],
		[
			'JSON with half a character in the name of a field',
			'department.update',
			withJson('({ ["x" + $json.half]: 1 })'),
			"'JSON: x",
		],
		[
			'half a character deep in a JSON parameter',
			'survey.updateContent',
			{ surveyId: byId(GUID), title: 'T', pages: '={{ [{ title: "a" + $json.half, sections: [] }] }}' },
			"'Pages 1: title' contains an unpaired surrogate",
		],
		[
			'JSON with a number of unlimited size where the contract has no field',
			'department.update',
			withMore('{ big: 10n }'),
			"'JSON: more.big' cannot be represented in JSON",
		],
		[
			'JSON with NaN where the contract has no field',
			'department.update',
			withMore('[NaN]'),
			"'JSON: more[0]' cannot be represented in JSON",
		],
		[
			'JSON with a date that is none where the contract has no field',
			'department.update',
			withMore('new Date("x")'),
			"'JSON: more' cannot be represented in JSON",
		],
		[
			'a map as JSON',
			'department.update',
			withJson('new Map([["name", "x"]])'),
			"'JSON' is not a JSON object",
		],
		['a date as JSON', 'department.update', withJson('new Date(0)'), "'JSON' is not a JSON object"],
		[
			"a 'Return All' that is neither true nor false",
			'customer.getAll',
			{ returnAll: '={{ "all" }}' },
			"'Return All' is neither true nor false",
		],
		['a date as Limit', 'customer.getAll', { limit: '={{ new Date(0) }}' }, "'Limit' is"],
		['a list as Limit', 'customer.getAll', { limit: '={{ [5] }}' }, "'Limit' is"],
		[
			'a field that the records do not have',
			'customer.getAll',
			{ output: 'selected', outputFields: '={{ ["id", "nmae"] }}' },
			"'Fields' contains 'nmae'",
		],
		[
			'an Include of unlimited size',
			'webBooking.getAll',
			{ ...TIMES, include: '={{ [10n] }}' },
			"'Include' contains",
		],
	])('%s', async (_, id, parameters, message) => {
		await expectRefused(await run(id, parameters, { half: HALF }), message);
	});
});

it("proposes the field that was meant when 'Fields' holds another one", async () => {
	const parameters = { output: 'selected', outputFields: '={{ "nmae,id" }}' };
	const { error } = await run('customer.getAll', parameters);

	expect(error?.description).toMatch(/^Did you mean 'name'\? Allowed: .*\bid\b/);
	const other = await run('customer.getAll', { ...parameters, outputFields: '={{ ["altogether"] }}' });
	expect(other.error?.description).toMatch(/^Allowed: /);
});

it("takes 'Return All' as words", async () => {
	await run('customer.getAll', { returnAll: '={{ "TRUE" }}', limit: '={{ "x" }}' });
	const { error } = await run('customer.getAll', { returnAll: '={{ "false" }}', limit: '={{ "x" }}' });

	expect(sent()).toHaveLength(1);
	expect(error?.message).toContain("'Limit' is not a number ('x')");
});

it('makes one call for a period that ends before a part of it does, however long a part is', async () => {
	await run('webBooking.getAll', { ...TIMES, options: { daysPerCall: '={{ 9e15 }}' } });

	expect(sent()).toHaveLength(1);
	expect(sent()[0]?.url).toContain('endTime=2026-12-25');
});

it('sends a text of a million characters whole', async () => {
	const { error } = await run('webBooking.update', {
		...UPDATE,
		details: { message: '={{ "x".repeat(1000000) }}' },
	});

	expect(error).toBeUndefined();
	expect((JSON.parse(sent()[0]?.body ?? '') as IDataObject).message).toBe('x'.repeat(1_000_000));
});

it("refuses the credential's System where it would arrive as another one", async () => {
	engine = await createEngine({ credentials: { hospitalityBookingApi: credential('Łódź') } });
	const { error } = await run('webBooking.cancel', CANCEL);

	expect(error?.message).toContain("'System' contains a character that a header cannot carry (U+0141)");
	expect(server.received).toEqual([]);
});

describe('with the isolates that n8n starts with', () => {
	useExpressionEngine('vm');

	it.each(['() => 1', 'Symbol("x")'])(
		'passes on what n8n says of an expression that gives no value: %s, with the item and what to check',
		async (expression) => {
			const { error } = await run('webBooking.update', {
				...UPDATE,
				details: { message: `={{ ${expression} }}` },
			});

			expect(error?.message).toContain('[item 0]');
			expect(error?.description).toContain('Check the expressions of this item');
			expect(sent()).toEqual([]);
		},
	);
});

it('sends a date in JSON as text where the contract has no field', async () => {
	await run('department.update', withMore('new Date(0)'));

	expect(JSON.parse(sent()[0]?.body ?? '')).toEqual({ name: 'x', more: '1970-01-01T00:00:00.000Z' });
});
