import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startN8n } from '../../dev/n8n.ts';
import { buildPackage } from '../../dev/package.ts';
import { projectRoot } from '../../dev/paths.ts';
import { chosenN8n, OWNER } from '../e2e/support/stack';

interface Compose {
	services: { n8n: { environment: Record<string, string>; volumes: string[] } };
}

/** No image can be fetched where these tests run: n8n runs with the settings of the compose file, its paths in a folder. */
it('keeps with the settings of docs/docker all it stores beside the folder of the package, and loads the package', async () => {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-docker-'));
	const home = join(folder, 'home', 'node');
	const secrets = join(folder, 'run', 'secrets');
	mkdirSync(join(home, 'data'), { recursive: true });
	mkdirSync(secrets, { recursive: true });
	writeFileSync(join(secrets, 'n8n_encryption_key'), 'a-key-of-this-test');
	const file = join(projectRoot(), 'docs', 'docker', 'compose.yaml');
	const { environment, volumes } = (parse(readFileSync(file, 'utf8')) as Compose).services.n8n;
	const env = Object.fromEntries(
		Object.entries(environment).map(([name, value]) => [
			name,
			value.replace(/^\/(home|run)\//, `${folder}/$1/`),
		]),
	);
	const n8n = await startN8n({ n8n: chosenN8n(), home, tarball: await buildPackage(), env });
	try {
		await n8n.client.signIn(OWNER);
		const types = (await n8n.client.request('GET', '/types/nodes.json')) as Array<{ name: string }>;
		const config = JSON.parse(readFileSync(join(home, '.n8n', 'config'), 'utf8')) as Record<string, unknown>;

		expect(types.map(({ name }) => name)).toContain('n8n-nodes-hospitality-booking.hospitalityBooking');
		expect(volumes).toEqual(['data:/home/node/data']);
		expect(existsSync(join(home, 'data', 'database.sqlite'))).toBe(true);
		expect(existsSync(join(home, '.n8n', 'database.sqlite'))).toBe(false);
		expect(config.encryptionKey).toBe('a-key-of-this-test');
	} finally {
		await n8n.stop();
		rmSync(folder, { recursive: true, force: true });
	}
});
