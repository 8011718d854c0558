import mapValues from 'lodash/mapValues';
import { serveOutcomes } from '../../dev/demo/outcomes.ts';
import { startSandbox } from '../../dev/sandbox.ts';
import { freePort } from '../../dev/ports.ts';
import { send } from './support/client';
import { useSandbox } from './support/useSandbox';

const here = useSandbox();

const EVIL = 'http://evil.example';
const REQUESTS = [
	...['GET /', 'GET /__page/overview.json', 'POST /__page/happen', 'POST /__page/relay'],
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

test('the page relays to the payment service what a browser cannot send, and nothing to other addresses', async () => {
	const relay = (call: object) =>
		send(
			`${here.sandbox.info.url}/__page/relay`,
			'POST',
			{ 'content-type': 'application/json' },
			JSON.stringify({ method: 'GET', ...call }),
		);
	const read = await relay({ path: '/pay/subscriptions/', body: '{"Id":"plan-plus"}' });
	expect([read.status, JSON.parse(read.text)]).toEqual([200, expect.objectContaining({ Status: 'Active' })]);
	for (const above of ['/pay/../', '/pay/%2e%2e/', '/pay/..\\', '/'])
		expect((await relay({ path: `${above}__control/state` })).status).toBe(400);
});

test("the demo's rows are told to the sandbox's page and to no page of another site", async () => {
	const port = await freePort();
	const outcomes = `http://127.0.0.1:${port}`;
	const row = { number: 7, url: 'http://127.0.0.1/row' };
	await serveOutcomes(port, () => Promise.resolve({ row }));
	const demo = await startSandbox({ links: { outcomes } });
	try {
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

test('the start page shows people what is in the sandbox, and the API reference with a try-out form', async () => {
	const { url } = here.sandbox.info;
	const get = (address: string) => send(url + address, 'GET', {});
	const page = await get('');
	expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
	const assets = ['page.js', 'page.css', 'reference.js', 'icon.svg'];
	const swagger = ['swagger/swagger-ui-bundle.js', 'swagger/swagger-ui.css'];
	for (const address of ['/reference', ...[...assets, ...swagger].map((file) => `/__page/${file}`)])
		expect([address, (await get(address)).status]).toEqual([address, 200]);
	const overview = JSON.parse((await get('/__page/overview.json')).text) as Record<string, unknown[]>;
	const amounts = { bookings: 40, customers: 25, surveys: 2, recipients: 16, articles: 60 };
	expect(mapValues(overview, 'length')).toMatchObject(amounts);
	const served: unknown = JSON.parse((await get('/openapi.json')).text);
	expect(served).toMatchObject({ openapi: '3.1.0', servers: [{ url }] });
});
