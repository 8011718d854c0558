import { serveOutcomes } from '../../dev/demo/outcomes.ts';
import { startSandbox } from '../../dev/sandbox.ts';
import { freePort } from '../../dev/ports.ts';
import { send } from './support/client';
import { useSandbox } from './support/useSandbox';

const here = useSandbox();

const EVIL = 'http://evil.example';
const REQUESTS = [
	...['GET /', 'GET /__page/overview.json', 'POST /__page/happen'],
	...['POST /__control/reset', 'DELETE /__control/faults', 'POST /connect/token'],
	...['PUT /pay/subscriptions/', 'GET /api/booking/v1/booking/customers'],
];

async function sendTo(
	url: string,
	call: string,
	headers: Record<string, string | undefined> = {},
): Promise<number> {
	const [method = '', path = ''] = call.split(' ');
	return (await send(url + path, method, headers)).status;
}

test.each(REQUESTS)('%s is refused to pages of other sites, and to nobody else', async (call) => {
	const { url } = here.sandbox.info;
	const localhost = url.replace('http://127.0.0.1', 'localhost');
	const foreign: Array<Record<string, string>> = [
		// Under a name that another site gives this machine.
		...[
			{ host: 'evil.example:4010' },
			{ host: '127.0.0.1.evil.example' },
			{ host: 'evil.example.localhost' },
		],
		...[{ origin: EVIL }, { origin: 'null' }, { origin: url.replace(/:\d+$/, ':1') }],
	];
	const own = [{}, { origin: url }, { host: localhost, origin: `http://${localhost}` }];
	for (const headers of foreign) expect([headers, await sendTo(url, call, headers)]).toEqual([headers, 403]);
	for (const headers of own) expect(await sendTo(url, call, headers)).not.toBe(403);
});

test("the demo's rows are told to the sandbox's page as soon as n8n is up, and to no page of another site", async () => {
	const port = await freePort();
	const outcomes = `http://127.0.0.1:${port}`;
	const row = { number: 7, url: 'http://127.0.0.1/row' };
	let isUp = false;
	await serveOutcomes(port, () => (isUp ? Promise.resolve({ row }) : Promise.reject(new Error('not yet'))));
	const demo = await startSandbox({ links: { outcomes } });
	const isReady = async () => {
		const { text } = await send(`${demo.info.url}/__page/overview.json`, 'GET', {});
		return (JSON.parse(text) as { ready: boolean }).ready;
	};
	try {
		expect(await isReady()).toBe(false);
		isUp = true;
		expect(await isReady()).toBe(true);
		const { text } = await send(`${demo.info.url}/__page/outcome?table=bookings`, 'GET', {});
		const direct = await send(outcomes, 'GET', {});

		expect(JSON.parse(text)).toEqual({ row });
		expect(direct.headers).not.toHaveProperty('access-control-allow-origin');
		expect(await sendTo(outcomes, 'GET /', { host: 'evil.example' })).toBe(403);
		expect(await sendTo(outcomes, 'GET /', { origin: EVIL })).toBe(403);
	} finally {
		await demo.stop();
	}
});

test('every row of a table of the start page has its columns', async () => {
	const { text } = await send(`${here.sandbox.info.url}/__page/overview.json`, 'GET', {});
	const { tables } = JSON.parse(text) as { tables: Array<{ columns: string[]; rows: unknown[][] }> };

	expect(tables.flatMap(({ rows }) => rows).length).toBeGreaterThan(100);
	for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
});

test.each([
	['bookingMade', /^Booking B\d+ is made: .+, \d+ guests?$/],
	['bookingChanged', /^Booking B\d+ is changed, from \d+ guests?: .+, \d+ guests?$/],
	['bookingCanceled', /^Booking B\d+ is canceled: /],
	['bookingMoved', /^Booking B\d+ begins half an hour later: /],
	['bookingPaid', /^Booking B\d+ (is paid, \d+|gets \d+ refunded): /],
	['surveyAnswered', /has answered a survey with [1-5] of 5$/],
])('its button %s lets that happen and says so', async (what, text) => {
	const headers = { 'content-type': 'application/json' };
	const { url } = here.sandbox.info;
	const happened = await send(`${url}/__page/happen`, 'POST', headers, JSON.stringify({ what }));

	expect(JSON.parse(happened.text)).toMatchObject({ text: expect.stringMatching(text) });
});
