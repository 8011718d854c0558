import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { node24 } from '../../harness/node24.ts';
import { npmCommand } from '../../harness/npm.ts';
import { projectRoot } from '../../harness/paths.ts';
import type { SandboxInfo } from '../../sandbox/info.ts';
import { fetchToken } from '../../sandbox/plainClient.ts';

const root = projectRoot();

it('starts by npx from an address, in a folder that has nothing of this repository, as docs/sandbox.md says', async () => {
	const [, address = ''] =
		/npx (https:\S+)/.exec(readFileSync(join(root, 'docs', 'sandbox.md'), 'utf8')) ?? [];
	execFileSync(node24(), [join(root, 'scripts', 'packSandbox.ts')], { cwd: root, stdio: 'inherit' });
	const packed = readFileSync(join(root, '.cache', 'sandbox', 'hospitality-booking-sandbox.tgz'));
	const releases = createServer((request, response) => {
		response.statusCode = request.url === new URL(address).pathname ? 200 : 404;
		response.end(packed);
	}).listen(0, '127.0.0.1');
	await once(releases, 'listening');
	const served = `http://127.0.0.1:${(releases.address() as AddressInfo).port}${new URL(address).pathname}`;
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-npx-'));
	const { command, args } = npmCommand([
		'exec',
		'--yes',
		'--',
		served,
		'--port',
		'0',
		'--json',
		'--exit-with-parent',
	]);
	const child = spawn(command, args, {
		cwd: folder,
		stdio: ['pipe', 'pipe', 'inherit'],
		env: { ...process.env, PATH: `${dirname(node24())}:${process.env.PATH}` },
	});
	const ended = once(child, 'exit');
	try {
		const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
		const info = JSON.parse(line) as SandboxInfo;
		const authorization = `Bearer ${await fetchToken(info)}`;
		const headers = { authorization, system: info.system };
		const path = '/api/booking/v1/booking/customers?changedFromUtc=2000-01-01T00:00:00Z';
		const customers = (await (await fetch(`${info.baseUrl}${path}`, { headers })).json()) as unknown[];
		const refused = await fetch(`${info.baseUrl}${path}`, { headers: { ...headers, prefer: 'code=429' } });
		const page = await (await fetch(info.url)).text();

		expect(customers.length).toBeGreaterThan(10);
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
		expect(page).toContain('<html');
		expect((await fetch(`${info.url}/reference`)).status).toBe(200);
	} finally {
		child.stdin.end();
		await ended;
		releases.close();
		rmSync(folder, { recursive: true, force: true });
	}
}, 300_000);
