import type { ICredentialDataDecryptedObject, INodeParameters, OnError } from 'n8n-workflow';
import { createEngine, type Engine, type Run } from '../../support/engine';
import { type TestServer, sendJson, startServer, tokenFor } from '../../support/server';
import { type Row, fullForm, rows } from '../../../support/sampleForm';
import { generated } from '../../../support/thorough';

const ITEMS = 3;
const BAD = 1;
const THROWING = "={{ $('Nowhere').item.json.value }}";
/** What n8n says of an expression over a node that is not there. */
const NOWHERE = /Nowhere|Referenced node doesn't exist/;

const option = (name: string, value: unknown) =>
	({ options: { [name]: value } }) as unknown as INodeParameters;
const requestOption = (value: object) => ({ requestOptions: value }) as unknown as INodeParameters;
const batching = (value: object) => requestOption({ batching: { batch: value } });

/** Settings of the node that no call can be made with: what is set, the parameters, what the person reads. */
const UNUSABLE: Array<[what: string, parameters: INodeParameters, said: RegExp]> = [
	["a throwing expression in 'System'", option('system', THROWING), NOWHERE],
	["a throwing expression in 'Calls at Once'", option('callsAtOnce', THROWING), NOWHERE],
	["'Calls at Once' of words", option('callsAtOnce', 'many'), /'Calls at Once' is not a number \('many'\)/],
	["'Calls at Once' of a half", option('callsAtOnce', 0.5), /'Calls at Once' is 0.5/],
	["'Calls at Once' of too many", option('callsAtOnce', 9999), /'Calls at Once' is 9999/],
	["an empty 'Calls at Once'", option('callsAtOnce', '={{ undefined }}'), /'Calls at Once' is empty/],
	[
		"'Give Up After' of words",
		option('giveUpAfter', 'late'),
		/'Give Up After \(Minutes\)' is not a number \('late'\)/,
	],
	["an empty 'Give Up After'", option('giveUpAfter', '={{ null }}'), /'Give Up After \(Minutes\)' is empty/],
	['a header without a name', option('extraHeaders', { entry: [{ value: 'x' }] }), /'Extra Headers 1'/],
	["a 'Proxy' that is no address", requestOption({ proxy: 'no address' }), /'Proxy' is not an address/],
	["a throwing expression in 'Proxy'", requestOption({ proxy: THROWING }), NOWHERE],
	["an empty 'Proxy'", requestOption({ proxy: '={{ undefined }}' }), /'Proxy' is empty/],
	["a 'Timeout' of words", requestOption({ timeout: 'soon' }), /'Timeout' is not a number \('soon'\)/],
	["an empty 'Timeout'", requestOption({ timeout: '={{ undefined }}' }), /'Timeout' is empty/],
	["'Items per Batch' of words", batching({ batchSize: 'few' }), /'Items per Batch' is not a number/],
	["a 'Batch Interval' of words", batching({ batchInterval: 'long' }), /'Batch Interval \(ms\)' is not a/],
];

/** What a text of digits must mean the same as. */
const NUMBERS: Array<[what: string, parameters: (value: unknown) => INodeParameters, value: number]> = [
	['Calls at Once', (value) => option('callsAtOnce', value), 5],
	['Give Up After', (value) => option('giveUpAfter', value), 5],
	['Timeout', (value) => requestOption({ timeout: value }), 5000],
	['Items per Batch', (value) => batching({ batchSize: value, batchInterval: 1 }), 5],
	['Batch Interval', (value) => batching({ batchSize: 1, batchInterval: value }), 5],
];

let server: TestServer;
let engine: Engine;
let calls = 0;

function credentials(changes: object = {}): Record<string, ICredentialDataDecryptedObject> {
	const { url } = server;
	const booking = { baseUrl: url, authUrl: url, clientId: 'c', clientSecret: 's', system: 'x' };
	return {
		hospitalityBookingApi: { ...booking, ...changes },
		hospitalityPaymentApi: { payUrl: url, customerId: 'c', password: 'p', carriedAs: 'bearer', ...changes },
	};
}

beforeAll(async () => {
	server = await startServer((request, response) => {
		const token = tokenFor(request);
		if (token && request.headers['x-item'] === undefined) return sendJson(response, token);
		calls++;
		const isList = /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(request.url);
		sendJson(response, isList ? [{ id: 1 }] : { IsAuthenticated: true });
	});
	engine = await createEngine({ credentials: credentials() });
});

afterAll(async () => await server.close());

const nodeOf = ({ service }: Row) => service.credential.replace('Api', '');

/** A form that is filled in. */
function formOf(row: Row): INodeParameters {
	const [resource = '', operation = ''] = row.id.split('.');
	return { resource, operation, ...fullForm(row) } as unknown as INodeParameters;
}

async function run(
	row: Row,
	parameters: INodeParameters,
	onError: OnError,
	using: { engine?: Engine; credentials?: Record<string, string> } = {},
): Promise<Run> {
	calls = 0;
	const { options = {}, ...others } = parameters;
	const extraHeaders = { entry: [{ name: 'X-Item', value: '1' }] };
	return await (using.engine ?? engine).execute({
		node: nodeOf(row),
		parameters: {
			...formOf(row),
			options: { extraHeaders, ...(options as object) },
			...others,
		},
		items: Array.from({ length: ITEMS }, (_, number) => ({ number })),
		onError,
		credentials: using.credentials,
	});
}

const ALL = Array.from({ length: ITEMS }, (_, index) => index);

/** Each item has failed, says so, and nothing was sent. */
async function expectAllFailed(row: Row, said: RegExp, runWith: (onError: OnError) => Promise<Run>) {
	const stopped = await runWith('stopWorkflow');
	expect(stopped.status).toBe('error');
	expect(stopped.error?.message).toMatch(said);
	for (const [onError, output] of [
		['continueErrorOutput', 1],
		['continueRegularOutput', 0],
	] as const) {
		const outcome = await runWith(onError);
		expect([onError, outcome.error]).toEqual([onError, undefined]);
		expect(outcome.itemsOf(output)).toEqual(ALL.map((item) => [item]));
		for (const { error } of outcome.json(output)) expect(error).toMatch(said);
		if (output === 1) expect(outcome.output(0)).toEqual([]);
	}
	expect([row.id, calls]).toEqual([row.id, 0]);
}

describe.each(rows)('$id', (row) => {
	const takesSystem = nodeOf(row) === 'hospitalityBooking' && row.operation.takesSystem !== false;
	const settings = UNUSABLE.filter(
		([what], index) =>
			(takesSystem || !what.includes("'System'")) && generated(index % 3 === rows.indexOf(row) % 3, true),
	);

	test.each(settings)('%s: each item fails, and no call is made', async (_, parameters, said) => {
		await expectAllFailed(row, said, async (onError) => await run(row, parameters, onError));
	});

	test('a value of one item concerns that item alone', async () => {
		for (const [good, bad, parameters, said] of [
			['2', 'many', (value: string) => option('callsAtOnce', value), /'Calls at Once' is not a number/],
			['2', '-1', (value: string) => option('giveUpAfter', value), /'Give Up After \(Minutes\)' is -1/],
			['5000', 'soon', (value: string) => requestOption({ timeout: value }), /'Timeout' is not a number/],
			['1', 'x', (value: string) => batching({ batchSize: value }), /'Items per Batch' is not a number/],
		] as const) {
			const value = `={{ $json.number === ${BAD} ? '${bad}' : '${good}' }}`;
			const outcome = await run(row, parameters(value), 'continueErrorOutput');

			expect(outcome.error).toBeUndefined();
			expect(outcome.itemsOf(1)).toEqual([[BAD]]);
			expect(outcome.json(1)[0]?.error).toMatch(said);
			expect(outcome.json(1)[0]?.error).toContain(`[item ${BAD}]`);
			expect([...new Set(outcome.itemsOf(0).flat())]).toEqual([0, 2]);
		}
	});

	test('a credential that is gone', async () => {
		const gone = { hospitalityBookingApi: 'gone', hospitalityPaymentApi: 'gone' };
		const { credential } = row.service;
		await expectAllFailed(
			row,
			/gone/,
			async (onError) => await run(row, {}, onError, { credentials: { [credential]: gone[credential] } }),
		);
	});

	test('a credential that was not chosen', async () => {
		await expectAllFailed(
			row,
			/credential/i,
			async (onError) => await run(row, {}, onError, { credentials: {} }),
		);
	});

	test('a credential with an unusable address', async () => {
		const using = { engine: await createEngine({ credentials: credentials({ baseUrl: 'x', payUrl: 'x' }) }) };
		await expectAllFailed(row, /URL' is 'x'/, async (onError) => await run(row, {}, onError, using));
	});

	test('a time zone that does not exist, where there are dates', async () => {
		if (!JSON.stringify(row.operation).includes('"dateTime"')) return;
		const using = { engine: await createEngine({ credentials: credentials({ timeZone: 'Mars/Base' }) }) };
		await expectAllFailed(
			row,
			/'Time Zone' is 'Mars\/Base'/,
			async (onError) => await run(row, {}, onError, using),
		);
	});
});

describe.each(rows.filter(({ id }) => /customer.getAll|batchUpdate|subscription.get/.test(id)))(
	'$id',
	(row) => {
		test.each(NUMBERS)('%s is the same as a text of digits', async (_, parameters, value) => {
			for (const given of [value, String(value), ` ${value} `, `={{ '${value}' }}`]) {
				const outcome = await run(row, parameters(given), 'stopWorkflow');

				expect([given, outcome.error?.message]).toEqual([given, undefined]);
				expect([...new Set(outcome.itemsOf(0).flat())]).toEqual(ALL);
			}
		});
	},
);
