// npm run dev: the demo with this package rebuilt on every change.
// tsc writes into the package that n8n has installed, and n8n reloads it (N8N_DEV_RELOAD): the editor shows a change after
// a few seconds.
import { join } from 'node:path';
import { startDemo, OWNER } from './demo/stack.ts';
import { Child, stopOnSignals } from './children.ts';
import { projectRoot } from './paths.ts';

const root = projectRoot();
const folder = join(root, '.cache', 'dev');
const installed = join(folder, 'home/.n8n/nodes/node_modules/n8n-nodes-hospitality-booking/dist');

stopOnSignals(0);
const demo = await startDemo({
	folder,
	n8nEnv: { N8N_DEV_RELOAD: 'true' },
	progress: (step) => console.log(`${step} …`),
});
const tsc = [
	'-p',
	'tsconfig.build.json',
	'--outDir',
	installed,
	'--watch',
	'--preserveWatchOutput',
];
new Child({
	name: 'tsc',
	command: process.execPath,
	args: [join(root, 'node_modules/typescript/bin/tsc'), ...tsc],
	cwd: root,
	onLine: console.log,
});

console.log(`
n8n      ${demo.n8n.url}   ${OWNER.email} / ${OWNER.password}
Sandbox  ${demo.sandbox.info.url}
Inbox    ${demo.inbox.url}
Edit nodes/ or credentials/: n8n shows the change after a few seconds, the editor after a reload of the page.
What tsc does not compile (contract, icons, codex files) comes with the next start. Ctrl-C stops everything.`);
