import { serveOutcomes } from '../../demo/outcomes.ts';
import { startSandbox } from '../../harness/sandbox.ts';
import { freePort } from '../../harness/ports.ts';
import { send } from './support/client';
import { useSandbox } from './support/useSandbox';

const here = useSandbox();

const EVIL = 'http://evil.example';
const REQUESTS = [
	...['GET /', 'GET /__page/overview.json', 'POST /__page/happen', 'POST /__page/relay'],
	...['POST /__control/reset', 'DELETE /__control/faults', 'POST /connect/token'],
	...['PUT /pay/subscriptions/', 'GET /api/booking/v1/booking/customers'],
];

async function sendTo(url: string, call: string, headers: Record<string, string> = {}): Promise<number> {
	const [method = '', path = ''] = call.split(' ');
	return (await send(url + path, method, headers)).status;
}

describe.each(REQUESTS)('%s', (call) => {
	it.each([
		['under a name that another site gives this machine', { host: 'evil.example:4010' }],
		['under a name that begins or ends with that of this machine', { host: '127.0.0.1.evil.example' }],
		["from another site's page", { origin: EVIL }],
		['from a page without an origin', { origin: 'null' }],
	])('is refused %s', async (_, headers) => {
		expect(await sendTo(here.sandbox.info.url, call, headers)).toBe(403);
	});

	it("is let through from the sandbox's own page and from programs, by either name", async () => {
		const { url } = here.sandbox.info;
		const port = new URL(url).port;
		for (const headers of [
			{},
			{ origin: url },
			{ host: `localhost:${port}`, origin: `http://localhost:${port}` },
		])
			expect(await sendTo(url, call, headers as Record<string, string>)).not.toBe(403);
	});
});

test.each([
	'/pay/../__control/state',
	'/pay/%2e%2e/__control/state',
	'/pay/..\\__control/state',
	'/__control/state',
])('the page relays to the payment service alone, not to %s', async (path) => {
	const url = `${here.sandbox.info.url}/__page/relay`;
	const body = JSON.stringify({ method: 'GET', path });
	expect((await send(url, 'POST', { 'content-type': 'application/json' }, body)).status).toBe(400);
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
