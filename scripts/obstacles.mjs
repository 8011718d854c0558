// Finds what would keep a command from working, before an installation takes minutes. An old Node must be able to load this
// file to reach the message about its version: it imports whole modules, as names may be missing.
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as util from 'node:util';

const LEAST_NODE = 20;
const HIGHEST_PORT = 65_535;

/** By option: its default port, and what listens there; `dev/demo/options.ts` reads the same options. */
const DEMO_PORTS = {
	port: [5678, 'n8n'],
	'sandbox-port': [4010, 'the sandbox'],
	'inbox-port': [1080, "the inbox's web page"],
	'smtp-port': [1025, "the inbox's mail server"],
};
/** What scripts need in addition to the toolchain: ports, and parts that they install themselves. */
const NEEDS = {
	'dev/demo/start.ts': { name: 'npm run demo', ports: DEMO_PORTS, parts: ['demo'] },
	'scripts/dev.ts': { name: 'npm run dev', ports: DEMO_PORTS, parts: ['demo'] },
	'sandbox/main.ts': { name: 'npm run sandbox', ports: { port: [4010, 'the sandbox'] }, parts: [] },
};

/**
 * Why a command cannot work, and what to do; undefined if no obstacle is found.
 *
 * @param command as it is run, e.g. `['node', 'dev/demo/start.ts', '--fresh']`
 * @param findMissing returns the named parts that are not installed: folder, description and size in MB
 */
export async function findObstacle([, script, ...args], findMissing) {
	if (Number(process.versions.node.split('.')[0]) < LEAST_NODE)
		return `Node ${LEAST_NODE} or later is needed; this is Node ${process.versions.node}. See https://nodejs.org.`;
	const { name, ports = {}, parts = [] } = NEEDS[script] ?? {};
	return (await describeTaken(name, ports, args)) ?? describeFull(findMissing(parts));
}

async function describeTaken(name, ports, args) {
	const options = Object.fromEntries(Object.keys(ports).map((option) => [option, { type: 'string' }]));
	const { values } = util.parseArgs({ args, options, strict: false });
	// These start nothing, or use free ports.
	if (values.help || values.smoke) return undefined;
	const taken = [];
	const others = [];
	for (const [option, [standard, what]] of Object.entries(ports)) {
		const port = Number(values[option] ?? standard);
		// The command itself rejects an invalid port; 0 is any free one.
		const isFree = !(port > 0 && port <= HIGHEST_PORT) || (await canListen(port));
		if (!isFree) taken.push(`Port ${port}, meant for ${what}, is taken by another program.`);
		if (!isFree) others.push(`--${option} ${await freePortAfter(port)}`);
		else if (values[option] !== undefined) others.push(`--${option} ${values[option]}`);
	}
	if (taken.length === 0) return undefined;
	return [
		...taken,
		'Is it running already, or another n8n? Stop that, or start this on other ports:',
		`${name} -- ${others.join(' ')}`,
	].join('\n');
}

function canListen(port) {
	return new Promise((resolve) => {
		const server = createServer().once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

/** The first free port above this one, or 0 for the system's choice where there is none. */
async function freePortAfter(port) {
	for (let next = port + 1; next <= HIGHEST_PORT; next++) if (await canListen(next)) return next;
	return 0;
}

function describeFull(missing) {
	const whole = missing.filter(({ folder }) => !fs.existsSync(join(folder, 'node_modules')));
	const [first] = whole;
	if (first === undefined) return undefined;
	const { bavail, bsize } = fs.statfsSync(first.folder);
	const freeMb = Math.round((bavail * bsize) / 1e6);
	const wantedMb = whole.reduce((sum, part) => sum + part.mb, 0);
	const what = whole.map((part) => part.what).join(' and ');
	return freeMb < wantedMb
		? `No room: installing ${what} takes up to ${wantedMb} MB; this disk has ${freeMb} MB left. Make room and run the same command again.`
		: undefined;
}
