import { send } from './support/client';
import { useSandbox } from './support/useSandbox';

const here = useSandbox();

const EVIL = 'http://evil.example';
const REQUESTS = [
	'GET /',
	'GET /__page/overview.json',
	'POST /__page/happen',
	'POST /__control/reset',
	'DELETE /__control/faults',
	'POST /connect/token',
	'PUT /pay/subscriptions/',
	'GET /api/booking/v1/booking/customers',
];

async function sendTo(
	url: string,
	call: string,
	headers: Record<string, string | undefined> = {},
): Promise<number> {
	const [method = '', path = ''] = call.split(' ');
	return (await send(url + path, method, headers)).status;
}

test.each(['GET /', 'GET /__page/page.js', 'GET /__page/overview.json'])(
	'%s lets a browser load nothing but the files of the page',
	async (call) => {
		const [method = '', path = ''] = call.split(' ');
		const { headers } = await send(here.sandbox.info.url + path, method, {});
		const policy = String(headers['content-security-policy']);

		expect(policy).toContain("default-src 'none'; script-src 'self'");
		expect(policy).toContain("frame-ancestors 'none'");
		expect(policy).not.toContain('unsafe');
	},
);

test.each(REQUESTS)('%s is refused to pages of other sites, and to nobody else', async (call) => {
	const { url } = here.sandbox.info;
	const localhost = url.replace('http://127.0.0.1', 'localhost');
	const foreign: Array<Record<string, string>> = [
		// Under a name that another site gives this machine.
		{ host: 'evil.example:4010' },
		{ host: '127.0.0.1.evil.example' },
		{ host: 'evil.example.localhost' },
		{ origin: EVIL },
		{ origin: 'null' },
		{ origin: url.replace(/:\d+$/, ':1') },
	];
	const own = [{}, { origin: url }, { host: localhost, origin: `http://${localhost}` }];
	for (const headers of foreign) {
		expect([headers, await sendTo(url, call, headers)]).toEqual([headers, 403]);
	}
	for (const headers of own) expect(await sendTo(url, call, headers)).not.toBe(403);
});
