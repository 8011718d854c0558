import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Child } from '../../dev/children.ts';
import { node24 } from '../../dev/node24.ts';
import { npmCommand } from '../../dev/npm.ts';
import { projectRoot } from '../../dev/paths.ts';
import type { SandboxInfo } from '../../sandbox/info.ts';
import { fetchToken } from '../../sandbox/plainClient.ts';
import { startServer } from '../engine/support/server';

const root = projectRoot();

it('starts by npx from an address, in a folder that has nothing of this repository, as docs/sandbox.md says', async () => {
	const [, address = ''] =
		/npx (https:\S+)/.exec(readFileSync(join(root, 'docs', 'sandbox.md'), 'utf8')) ?? [];
	const { pathname } = new URL(address);
	execFileSync(node24(), [join(root, 'scripts', 'packSandbox.ts')], { cwd: root, stdio: 'inherit' });
	const packed = readFileSync(join(root, '.cache', 'sandbox', 'hospitality-booking-sandbox.tgz'));
	const releases = await startServer(({ url }, response) => {
		response.statusCode = url === pathname ? 200 : 404;
		response.end(packed);
	});
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-npx-'));
	const options = ['--port', '0', '--json', '--exit-with-parent'];
	const child = new Child({
		name: 'The sandbox',
		...npmCommand(['exec', '--yes', '--', releases.url + pathname, ...options]),
		cwd: folder,
		env: { ...process.env, PATH: `${dirname(node24())}:${process.env.PATH}` },
	});
	try {
		const info = JSON.parse(await child.waitForLine(/^\{/, 120_000)) as SandboxInfo;
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
		await child.stop();
		await releases.close();
		rmSync(folder, { recursive: true, force: true });
	}
}, 300_000);
