// npm run dev: the demo with this package rebuilt on every change.
// tsc writes into the package that n8n has installed, and n8n reloads it (N8N_DEV_RELOAD): the editor shows a change after
// a few seconds.
import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import { startDemo, OWNER } from './demo/stack.ts';
import { Child, stopOnSignals } from './children.ts';
import { projectRoot } from './paths.ts';

const root = projectRoot();
const folder = join(root, '.cache', 'dev');
const installed = join(folder, 'home/.n8n/nodes/node_modules/n8n-nodes-hospitality-booking/dist');

/** Copies changed codex files, previews and icons, which tsc does not. */
function watchCopied(name: string, pattern: RegExp): void {
	watch(join(root, name), { recursive: true }, (_, file) => {
		if (file === null || !pattern.test(file)) return;
		cpSync(join(root, name, file), join(installed, name, file), { force: true });
		console.log(`Copied ${name}/${file}`);
	});
}

stopOnSignals(0);
const demo = await startDemo({
	folder,
	ports: { n8n: 5678, sandbox: 4010, inboxWeb: 1080, inboxSmtp: 1025 },
	n8nEnv: { N8N_DEV_RELOAD: 'true' },
	progress: (step) => console.log(`${step} …`),
});

new Child({
	name: 'tsc',
	command: process.execPath,
	args: [
		join(root, 'node_modules/typescript/bin/tsc'),
		...['-p', 'tsconfig.build.json', '--outDir', installed, '--watch', '--preserveWatchOutput'],
	],
	cwd: root,
	onLine: console.log,
});
watchCopied('nodes', /\.json$/);
watchCopied('icons', /\.svg$/);

console.log(`
n8n      ${demo.n8n.url}   ${OWNER.email} / ${OWNER.password}
Sandbox  ${demo.sandbox.info.url}
Inbox    ${demo.inbox.url}
Edit nodes/ or credentials/: n8n shows the change after a few seconds, the editor after a reload of the page.
After a change of contract/openapi.yaml, run npm run generate. Ctrl-C stops everything.`);
