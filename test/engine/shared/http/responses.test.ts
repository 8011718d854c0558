import { gzipSync } from 'node:zlib';
import type { INodeParameters } from 'n8n-workflow';

import { bookingService } from '../../../../nodes/HospitalityBooking/resources';
import { HospitalityBooking } from '../../../../nodes/HospitalityBooking/HospitalityBooking.node';
import { formOf } from '../../../support/forms';
import { type Engine, type Run, createEngine } from '../../support/engine';
import type { Respond } from '../../support/hostileResponses';
import { type TestServer, sendJson, startServer, tokenFor } from '../../support/server';

let server: TestServer;
let engine: Engine;
let respond: Respond;

beforeAll(async () => {
	server = await startServer((request, response) => {
		const token = tokenFor(request);
		if (token) sendJson(response, token);
		else respond(response);
	});
	const account = { clientId: 'the-client', clientSecret: 'the-secret', system: 'the-system' };
	engine = await createEngine({
		credentials: {
			hospitalityBookingApi: { baseUrl: server.url, authUrl: server.url, ...account },
			hospitalityPaymentApi: { payUrl: server.url, customerId: '4711', password: 'the-password' },
		},
	});
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

describe('a response is decoded by the charset that it declares:', () => {
	const latin = (text: string) => Buffer.from(text, 'latin1');
	const utf16 = (text: string) => Buffer.from(text, 'utf16le');
	const cases: Array<[contentType: string, encode: (text: string) => Buffer]> = [
		['application/json', Buffer.from],
		['application/json; charset=utf-8', Buffer.from],
		['application/json; charset="UTF-8"', Buffer.from],
		['application/json; charset=unheard-of', Buffer.from],
		['application/json; charset=iso-8859-1', latin],
		['application/json;Charset=ISO-8859-15; boundary=x', latin],
		['text/json; charset="windows-1252"', latin],
		['application/json; charset=utf-16le', utf16],
		['application/json; charset=utf-16le', (text) => utf16(`\uFEFF${text}`)],
		['application/json; charset=utf-8', (text) => Buffer.from(`\uFEFF${text}`)],
	];

	it.each(cases)('%s', async (contentType, encode) => {
		const record = { id: 1, name: 'Åsa Lindström, Café' };
		respond = (response) =>
			void response.writeHead(200, { 'content-type': contentType }).end(encode(JSON.stringify([record])));
		expect((await getCustomers()).json()).toEqual([record]);

		respond = (response) =>
			void response.writeHead(200, { 'content-type': contentType }).end(encode(JSON.stringify(record)));
		expect((await getSubscription()).json()).toEqual([record]);

		respond = (response) =>
			void response.writeHead(400, { 'content-type': contentType }).end(encode('{"title":"Går ej"}'));
		expect(shown(await getCustomers())).toContain('Går ej');
	});
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
