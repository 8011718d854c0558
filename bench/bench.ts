import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OWNER } from '../dev/demo/stack.ts';
import { installHarness } from '../dev/install.ts';
import { startN8n, type N8n } from '../dev/n8n.ts';
import { defaultN8n } from '../dev/n8nVersions.ts';
import { buildPackage } from '../dev/package.ts';
import { startSandbox, type Sandbox } from '../dev/sandbox.ts';

/** Real n8n with the packed package installed, and the sandbox. */
export interface Bench {
	n8n: N8n;
	sandbox: Sandbox;
	/** Few items, to see that the benchmark works. */
	quick: boolean;
	/** The same beside an n8n of its own that has done nothing yet, e.g. to measure memory; the same n8n where it is quick. */
	withFreshN8n(): Promise<Bench>;
	stop(): Promise<void>;
}

/** Builds and packs the package, and starts n8n with it and the sandbox on free ports, in a folder of their own. */
export async function startBench(quick: boolean): Promise<Bench> {
	await installHarness();
	console.log(`Starting n8n ${defaultN8n().version} with the packed package, and the sandbox …\n`);
	const tarball = await buildPackage();
	const sandbox = await startSandbox({ control: true });
	const withFreshN8n = async (): Promise<Bench> => {
		const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-bench-'));
		const n8n = await startN8n({ home: join(folder, 'home'), tarball, logFile: join(folder, 'n8n.log') });
		await n8n.client.signIn(OWNER);
		const stop = async () => {
			await n8n.stop();
			rmSync(folder, { recursive: true, force: true });
		};
		return { n8n, sandbox, quick, withFreshN8n, stop };
	};
	const bench = await withFreshN8n();
	const again = { ...bench, stop: () => Promise.resolve() };
	return quick ? { ...bench, withFreshN8n: () => Promise.resolve(again) } : bench;
}
