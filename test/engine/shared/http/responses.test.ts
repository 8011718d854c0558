import { gzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';

import { bookingService } from '../../../../nodes/HospitalityBooking/resources';
import { HospitalityBooking } from '../../../../nodes/HospitalityBooking/HospitalityBooking.node';
import { formOf } from '../../../support/forms';
import { type Engine, type Run, createEngine } from '../../support/engine';
import {
	INHERITED_NAMES,
	OTHER_TYPES,
	type Respond,
	drip,
	flood,
	headerBomb,
	text,
	unusable,
} from '../../support/hostileResponses';
import { type TestServer, credentialsAt, sendJson, startServer, tokenFor } from '../../support/server';

let server: TestServer;
let engine: Engine;
let respond: Respond;

beforeAll(async () => {
	server = await startServer((request, response) => {
		const token = tokenFor(request);
		if (token) sendJson(response, token);
		else respond(response);
	});
	engine = await createEngine({ credentials: credentialsAt(server.url) });
});

afterAll(async () => await server.close());

const getCustomers = async (parameters: INodeParameters = {}): Promise<Run> =>
	await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', returnAll: true, output: 'raw', ...parameters },
	});
const getSubscription = async (): Promise<Run> =>
	await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: 'plan-1' },
	});
const shown = ({ error }: Run) => `${String(error?.message)} | ${String(error?.description)}`;

const GUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const cancelBooking = async (parameters: INodeParameters = {}): Promise<Run> =>
	await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'webBooking', operation: 'cancel', webBookingId: GUID, ...parameters },
	});
const typed =
	(type: string, body: string | Buffer, status = 200): Respond =>
	(response) =>
		void response.writeHead(status, { 'content-type': type }).end(body);

it('A response is decoded by the charset that it declares, and so is a refusal', async () => {
	const latin = (status: number, data: object) =>
		typed('application/json; charset=iso-8859-1', Buffer.from(JSON.stringify(data), 'latin1'), status);
	const record = { id: 1, name: 'Åsa Lindström, Café' };
	respond = latin(200, [record]);
	expect((await getCustomers()).json()).toEqual([record]);
	respond = latin(200, record);
	expect((await getSubscription()).json()).toEqual([record]);
	respond = latin(400, { title: 'Går ej' });
	expect(shown(await getCustomers())).toContain('Går ej');
});

const gzipped = gzipSync(JSON.stringify([{ id: 1, name: 'Åsa '.repeat(100) }]));

it.each([
	['a body that is no gzip', Buffer.from('[{"id":1}]')],
	[
		'a body that breaks',
		Buffer.concat([gzipped.subarray(0, 20), Buffer.alloc(9, 'z'), gzipped.subarray(29)]),
	],
])('%s though the response says so is named as what it is', async (_, body) => {
	respond = (response) =>
		void response
			.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
			.end(body);
	for (const run of [await getCustomers(), await getSubscription()]) {
		expect(shown(run)).toMatch(/^The response is not valid compressed data \(Z_\w+\) – /);
		expect(shown(run)).not.toMatch(/could not be reached|check the address/i);
	}
});

describe('a response larger than its bound', () => {
	const LISTS = bookingService.resources.flatMap(({ value, operations }) =>
		operations.filter(({ output }) => output.kind === 'list').map((own) => [value, own.value] as const),
	);
	const parametersOf: Record<string, INodeParameters> = {
		webBooking: { getBy: 'bookingTime', startTime: '2026-12-01', endTime: '2026-12-24' },
	};
	const LARGE = 1_500_000;
	const large: Respond = (response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write('[{"id":1,"guid":"a","name":"first ]}[{,\\""},{"id":2,"guid":"b","list":[1,[2]]}');
		for (let id = 3, sent = 0; sent < LARGE; id++) {
			const record = `,{"id":${id},"guid":"${id}","name":"${'x'.repeat(1_000)}"}`;
			sent += record.length;
			response.write(record);
		}
		response.end(']');
	};
	const get = async (resource: string, operation: string, parameters: INodeParameters): Promise<Run> =>
		await engine.execute({
			node: 'hospitalityBooking',
			parameters: { resource, operation, output: 'raw', ...parametersOf[resource], ...parameters },
		});

	it.each(LISTS)('names settings of the form that help: %s %s', async (resource, operation) => {
		respond = large;
		const run = await get(resource, operation, { returnAll: true, options: { largestResponse: 1 } });
		const form = formOf(new HospitalityBooking().description.properties, { resource, operation });
		const names = form.flatMap(({ displayName, options = [] }) => [
			displayName,
			...options.flatMap((option) => ('displayName' in option ? [option.displayName] : [])),
		]);
		const quoted = [...(run.error?.description ?? '').matchAll(/'([^']+)'/g)].map(([, name]) => name);

		expect(shown(run)).toMatch(/^The response is larger than 1 MB – /);
		expect(quoted).toContain('Largest Response (MB)');
		expect(quoted.length).toBeGreaterThan(1);
		expect(quoted.filter((name) => !names.includes(name ?? ''))).toEqual([]);
	});

	it.each(LISTS)("is read as far as 'Limit' needs it: %s %s", async (resource, operation) => {
		respond = large;
		const run = await get(resource, operation, { limit: 2, options: { largestResponse: 1 } });

		expect(run.error).toBeUndefined();
		expect(run.json()).toMatchObject([
			{ id: 1, name: 'first ]}[{,"' },
			{ id: 2, list: [1, [2]] },
		]);
	});

	it('is read where the bound is raised, the number given as a text too', async () => {
		respond = large;
		for (const largestResponse of [2, '2'])
			expect((await getCustomers({ options: { largestResponse } })).json().length).toBeGreaterThan(1_000);
	});

	it.each([0, 257, 'x', -1])("%p for 'Largest Response (MB)' is refused by name", async (largestResponse) => {
		const before = server.received.length;
		expect(shown(await getCustomers({ options: { largestResponse } }))).toContain("'Largest Response (MB)'");
		expect(server.received).toHaveLength(before);
	});
});

describe('a period that would take too many calls', () => {
	const getBookings = async (years: number, options: INodeParameters = {}): Promise<Run> =>
		await engine.execute({
			node: 'hospitalityBooking',
			parameters: {
				resource: 'webBooking',
				operation: 'getAll',
				startTime: '2026-01-01',
				endTime: `${2026 + years}-01-01`,
				options,
			},
		});

	it('is refused by name before anything is sent', async () => {
		const before = server.received.length;
		const run = await getBookings(100);

		expect(shown(run)).toMatch(/'End Time' .*1,?17\d calls/);
		expect(shown(run)).toContain("'Days per Call'");
		expect(server.received).toHaveLength(before);
	});

	it("is read with more 'Days per Call'", async () => {
		respond = (response) => sendJson(response, []);
		const before = server.received.length;

		expect((await getBookings(100, { daysPerCall: 3660 })).error).toBeUndefined();
		expect(server.received).toHaveLength(before + 10);
	});
});

describe('a response of 100 MB', () => {
	it.each([
		['a list', getCustomers],
		['a GET with a body', getSubscription],
	])('is read no further than 32 MB, and named: %s', async (_, run) => {
		const hostile = flood(100);
		respond = hostile.respond;

		expect(shown(await run())).toMatch(/^The response is larger than 32 MB – .*Ask for less at once/);
		expect(hostile.sent()).toBeLessThan(64);
	});

	it('to a change is said to have been made, so that nobody repeats it blindly', async () => {
		respond = flood(100).respond;

		expect(shown(await cancelBooking({ options: { largestResponse: 1 } }))).toMatch(
			/larger than 1 MB.*The change may have been made/,
		);
	});

	it('that is a refusal is read for a message only', async () => {
		const hostile = flood(100, 400);
		respond = hostile.respond;

		expect(shown(await getCustomers())).toContain('The service refused the values it was given (400)');
		expect(hostile.sent()).toBeLessThan(32);
	});

	it('to a request for a token is read no further either', async () => {
		const hostile = flood(100);
		const other = await startServer((_, response) => hostile.respond(response));
		await engine.credentials.add('flooded', 'hospitalityBookingApi', {
			...(await engine.credentials.read('hospitalityBookingApi')),
			authUrl: other.url,
			clientId: 'flooded',
		});
		const { message } = await engine.testCredential('flooded');
		await other.close();

		expect(message).toContain("'Token URL Base'");
		expect(hostile.sent()).toBeLessThan(64);
	});
});

describe('a hostile response', () => {
	it.each(unusable(20_000, 0).filter(([what]) => !what.includes('lists')))(
		'%s is named',
		async (_, body, complaint) => {
			respond = text(body);

			expect(shown(await getCustomers())).toMatch(new RegExp(`^The response ${complaint} – `));
			expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		},
	);

	it('passes on fields named like members of every object', async () => {
		respond = text(JSON.stringify([INHERITED_NAMES]));

		expect(JSON.stringify((await getCustomers()).json())).toBe(JSON.stringify([INHERITED_NAMES]));
	});

	it('that never ends is given up when the time is over, dripping or not', async () => {
		const requestOptions = { timeout: 300 };
		respond = drip;
		expect(shown(await cancelBooking({ requestOptions }))).toContain("'Base URL' did not respond in time");
		respond = (response) => void response.writeHead(200).write('[{"id":');
		const parameters = { resource: 'subscription', operation: 'cancel', id: 'plan-1', requestOptions };
		const run = await engine.execute({ node: 'hospitalityPayment', parameters });
		expect(shown(run)).toContain("'Payment URL' did not respond in time");
	});

	it('with headers of 100 kB is named as what n8n cannot read', async () => {
		respond = headerBomb;

		expect(shown(await cancelBooking())).toContain(
			"What came from 'Base URL' is not HTTP that n8n can read (HPE_HEADER_OVERFLOW)",
		);
	});

	it.each(OTHER_TYPES)('of another type does no more than an error to read: %s', async (body) => {
		respond = text(body);
		for (const run of [
			await getCustomers(),
			await getCustomers({ output: 'simplified' }),
			await cancelBooking(),
			await getSubscription(),
		])
			expect(shown(run)).not.toMatch(/TypeError|Cannot read|is not a function|not iterable/);
	});
});

describe.each<[action: string, parameters: INodeParameters]>([
	['Send guest message', { operation: 'sendGuestMessage', sections: {} }],
	[
		'Connect contact to customer',
		{ operation: 'connectToCustomer', bodyMode: 'json', jsonBody: '{"contactId":2071,"customerId":1042}' },
	],
])('%s, whose success body the API documentation does not show,', (_, parameters) => {
	const run = async () =>
		await engine.execute({ node: 'hospitalityBooking', parameters: { resource: 'contact', ...parameters } });

	it.each([
		['plain text', 'text/plain', 'OK'],
		['a JSON text', 'application/json', '"OK"'],
		['text that claims to be JSON', 'application/json', 'OK'],
	])('succeeds with %s in the output', async (_kind, type, body) => {
		respond = typed(type, body);
		const outcome = await run();

		expect(outcome.error).toBeUndefined();
		expect(outcome.json()).toEqual([{ success: true, response: 'OK' }]);
	});

	it.each([
		['by its text', 'text/plain', '<!doctype html><title>Sign in</title>'],
		['by its type', 'text/html', 'Sign in'],
	])('does not take a web page for a success: %s', async (_kind, type, body) => {
		respond = typed(type, body);

		expect(shown(await run())).toMatch(/something other than data \(200\)/);
	});
});

it('An operation whose success body the API documentation shows does not take a text for one', async () => {
	respond = typed('text/plain', 'OK');

	expect(shown(await cancelBooking())).toMatch(/something other than data \(200\)/);
});
