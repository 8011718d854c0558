import type { ServerResponse } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';

import { type Engine, type Run, createEngine } from '../../support/engine';
import {
	CHUNK,
	HOSTILE_BODIES,
	INHERITED_NAMES,
	OTHER_TYPES,
	type Respond,
	UNUSABLE,
	drip,
	flood,
	headerBomb,
	text,
} from '../../support/hostileResponses';
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
	engine = await createEngine({
		credentials: {
			hospitalityBookingApi: {
				baseUrl: server.url,
				authUrl: server.url,
				clientId: 'the-client',
				clientSecret: 'the-secret',
				system: 'the-system',
			},
			hospitalityPaymentApi: {
				payUrl: server.url,
				customerId: '4711',
				password: 'the-password',
				carriedAs: 'bearer',
			},
		},
	});
});

afterAll(async () => await server.close());

async function getCustomers(parameters: INodeParameters = {}): Promise<Run> {
	return await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', returnAll: true, output: 'raw', ...parameters },
	});
}

const getSubscription = async (): Promise<Run> =>
	await engine.execute({
		node: 'hospitalityPayment',
		parameters: { resource: 'subscription', operation: 'get', id: 'plan-1' },
	});

const cancelBooking = async (): Promise<Run> =>
	await engine.execute({
		node: 'hospitalityBooking',
		parameters: {
			resource: 'webBooking',
			operation: 'cancel',
			webBookingId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
		},
	});

const shown = ({ error }: Run) => `${String(error?.message)} | ${String(error?.description)}`;
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

		expect(shown(await cancelBooking())).toMatch(/larger than 32 MB.*The change may have been made/);
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
			baseUrl: server.url,
			authUrl: other.url,
			clientId: 'flooded',
			clientSecret: 'the-secret',
			system: 'the-system',
		});
		const { message } = await engine.testCredential('flooded');
		await other.close();

		expect(message).toContain("'Token URL Base'");
		expect(hostile.sent()).toBeLessThan(64);
	});
});

it('Responses under way together hold no more than 256 MB', async () => {
	const open: ServerResponse[] = [];
	let ended = 0;
	const goOn = () => {
		ended += 1;
		if (ended === 10) for (const response of open) response.end('[]');
	};
	respond = (response) => {
		response.on('close', goOn);
		response.writeHead(200, { 'content-type': 'application/json' });
		for (let sent = 0; sent < 30; sent++) response.write(CHUNK);
		response.write(' ', () => {
			open.push(response);
			response.off('close', goOn);
			goOn();
		});
	};
	const run = await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', options: { callsAtOnce: 10 } },
		items: Array.from({ length: 10 }, () => ({})),
		onError: 'continueErrorOutput',
	});

	const messages = run.json(1).map(({ error }) => String(error));
	expect(messages.length).toBeGreaterThan(0);
	expect(messages.length).toBeLessThan(10);
	for (const message of messages) expect(message).toContain('exceeds 256 MB across concurrent responses');
});

describe('a response that n8n could not take', () => {
	it.each(UNUSABLE)('%s is named', async (_, body, complaint) => {
		respond = text(body);

		expect(shown(await getCustomers())).toMatch(new RegExp(`^The response ${complaint} – `));
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});

	it('but fields named as what every object has come out as they are', async () => {
		respond = text(JSON.stringify([INHERITED_NAMES]));
		const run = await getCustomers();

		expect(JSON.stringify(run.json())).toBe(JSON.stringify([INHERITED_NAMES]));
		expect(({} as Record<string, unknown>).polluted).toBeUndefined();
	});
});

describe('a response that never ends', () => {
	it('is given up when the time is over, though it drips', async () => {
		respond = drip;
		const run = await engine.execute({
			node: 'hospitalityBooking',
			parameters: {
				resource: 'webBooking',
				operation: 'cancel',
				webBookingId: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
				requestOptions: { timeout: 300 },
			},
		});

		expect(shown(run)).toContain("'Base URL' did not respond in time");
	});

	it('is given up when the time is over, though it stops half way', async () => {
		respond = (response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write('[{"id":');
		};
		const run = await engine.execute({
			node: 'hospitalityPayment',
			parameters: {
				resource: 'subscription',
				operation: 'cancel',
				id: 'plan-1',
				requestOptions: { timeout: 300 },
			},
		});

		expect(shown(run)).toContain("'Payment URL' did not respond in time");
	});
});

it('Headers of 100 kB are named as what n8n cannot read', async () => {
	respond = headerBomb;

	expect(shown(await cancelBooking())).toContain(
		"What came from 'Base URL' is not HTTP that n8n can read (HPE_HEADER_OVERFLOW)",
	);
});

describe('a response of another type than documented', () => {
	it.each(OTHER_TYPES)('does no more than an error to read: %s', async (body) => {
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

describe('hostile items', () => {
	it.each(HOSTILE_BODIES)(
		'%s are refused by name or sent as they are, and touch no prototype',
		async (_, jsonBody) => {
			respond = text('{}');
			const run = await engine.execute({
				node: 'hospitalityBooking',
				parameters: {
					resource: 'webBooking',
					operation: 'update',
					bookingGuid: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
					bodyMode: 'json',
					jsonBody,
				},
			});

			expect(shown(run)).not.toMatch(/TypeError|RangeError|Maximum call stack|Cannot read|is not a function/);
			expect(({} as Record<string, unknown>).polluted).toBeUndefined();
		},
	);
});
