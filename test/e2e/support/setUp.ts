import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stopAll } from '../../../dev/children.ts';
import { startN8n } from '../../../dev/n8n.ts';
import { buildPackage } from '../../../dev/package.ts';
import { projectRoot } from '../../../dev/paths.ts';
import { startSandbox } from '../../../dev/sandbox.ts';
import { chosenN8n, OWNER, publishStack } from './stack.ts';

/** Starts the sandbox and real n8n with the packed package installed; `connect()` in a test file finds them. */
async function startStack(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-e2e-'));
	try {
		const tarball = await buildPackage();
		const { info: sandbox } = await startSandbox({ control: true });
		const googleFile = join(folder, 'google');
		const standIn = pathToFileURL(
			join(projectRoot(), 'test', 'e2e', 'support', 'googleStandIn.mjs'),
		).href;
		const n8n = await startN8n({
			n8n: chosenN8n(),
			home: join(folder, 'home'),
			tarball,
			logFile: join(folder, 'n8n.log'),
			env: { NODE_OPTIONS: `--import ${standIn}`, GOOGLE_STAND_IN: googleFile },
		});
		await n8n.client.signIn(OWNER);
		publishStack({ url: n8n.url, session: n8n.client.session, folder, googleFile, sandbox });
	} catch (error) {
		await stopAll();
		throw error;
	}
}

module.exports = startStack;
