// npm run keep-release [-- --tarball]: keeps what stored workflows rest on in this version (compat/releases/<version>/): the
// parameters, credential fields and outputs of the built package, the workflow files, the states that the trigger stores, and,
// where there is none yet or it is asked for, the tarball. The tests compare all later versions with them.
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { run } from '../dev/children.ts';
import { readCommandLine } from '../dev/commandLine.ts';
import { npmCommand } from '../dev/npm.ts';
import { projectRoot } from '../dev/paths.ts';
import {
	type GoldenPoll,
	type GoldenState,
	goldenRoles,
	isDueEvent,
	makeGoldenStates,
} from './goldenStates.ts';
import { keptRelease } from './releases.ts';
import { type Preview, storedInterface } from './storedInterface.ts';

const USAGE = `npm run keep-release [-- --tarball]

  --tarball  keeps the tarball again, where there is one: before a release, as the last thing that is committed`;
const MINUTE = 60_000;

const root = projectRoot();
const { version, n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	version: string;
	n8n: { nodes: string[]; credentials: string[] };
};
const { folder, tarball } = keptRelease(version);
const require = createRequire(import.meta.url);

function build<T>(path: string): T {
	const exported = require(join(root, path)) as Record<string, new () => T>;
	const Type = exported[basename(path).replace(/\..*$/, '')];
	if (!Type) throw new Error(`${path} exports no class of its name. Run npm run build first.`);
	return new Type();
}

/** By `<node>/<resource>/<operation>`; a trigger's is `<node>`. */
function previews(): Record<string, Preview> {
	const files = globSync('dist/nodes/*/__schema__/**/*.json', { cwd: root });
	return Object.fromEntries(
		files.map((file) => {
			const place = relative('dist/nodes', file)
				.replaceAll('\\', '/')
				.replace(/\/__schema__\/v1\.0\.0|\.json$/g, '');
			return [place, JSON.parse(readFileSync(join(root, file), 'utf8')) as Preview];
		}),
	);
}

/** A function of the built trigger. */
function ofTrigger(file: string, name: string): (...args: unknown[]) => unknown {
	const exported = require(join(root, 'dist', 'nodes', 'HospitalityBookingTrigger', file)) as Record<
		string,
		(...args: unknown[]) => unknown
	>;
	const found = exported[name];
	if (!found) throw new Error(`The built trigger has no ${name} in ${file}.`);
	return found;
}

function feedOf(event: string): unknown {
	if (event === 'surveyAnswered') return ofTrigger('feeds/recipients', 'recipientFeed')('');
	if (event.startsWith('customer')) return ofTrigger('feeds/customers', 'customerFeed')(event);
	const filters = { unitParameter: 'unitIds', statusRoles: goldenRoles(event) };
	const choice = { filters, include: [] };
	if (isDueEvent(event)) return ofTrigger('feeds/bookings', 'dueFeed')(event, 60 * MINUTE, choice);
	return ofTrigger('feeds/bookings', 'bookingFeed')(event, choice);
}

let triggers = 0;

function triggerOf(golden: Omit<GoldenState, 'state'>): GoldenPoll {
	const { event, zone, maxItems, reEmit } = golden;
	const id = `golden ${++triggers}`;
	let state: object | undefined;
	return async (page, now) => {
		const host = {
			id,
			mode: 'timer',
			wasPublished: false,
			budgetMs: MINUTE,
			load: () => ({ own: state }),
			save: (next: object) => (state = JSON.parse(JSON.stringify(next)) as object),
			fetch: () => Promise.resolve(page),
			present: (records: unknown) => records,
			report: () => undefined,
			warn: () => undefined,
			now: () => now,
		};
		const settings = {
			feed: feedOf(event),
			node: 'Trigger',
			watching: JSON.stringify([event, 'demo', []]),
			account: 'https://booking.example',
			zone,
			overlapMs: 2 * MINUTE,
			maxAgeMs: 24 * 60 * MINUTE,
			maxItems,
			startAt: null,
			skipsMissed: false,
			reEmit,
		};
		await ofTrigger('poll/poll', 'poll')(host, settings);
		if (!state) throw new Error(`The poll of ${event} has stored nothing.`);
		return state;
	};
}

function write(file: string, value: unknown): void {
	writeFileSync(join(folder, file), `${JSON.stringify(value, null, '\t')}\n`);
}

async function keepTarball(): Promise<void> {
	const packed = mkdtempSync(join(tmpdir(), 'hospitality-booking-kept-'));
	try {
		const args = ['pack', '--silent', '--pack-destination', packed];
		await run({ name: 'npm pack', ...npmCommand(args), cwd: root, env: process.env });
		cpSync(join(packed, globSync('*.tgz', { cwd: packed })[0] ?? ''), tarball);
	} finally {
		rmSync(packed, { recursive: true, force: true });
	}
}

const { values } = readCommandLine(USAGE, { tarball: { type: 'boolean', default: false } });
const nodes = n8n.nodes.map((path) => build<INodeType>(path).description);
const credentials = n8n.credentials.map((path) => build<ICredentialType>(path));
const kept = storedInterface(nodes, credentials, previews());
const states = await makeGoldenStates(triggerOf);
rmSync(join(folder, 'workflows'), { recursive: true, force: true });
mkdirSync(join(folder, 'workflows'), { recursive: true });
write('interface.json', kept);
write('states.json', states);
for (const file of globSync('workflows/*.json', { cwd: root }))
	cpSync(join(root, file), join(folder, 'workflows', basename(file)));
if (values.tarball || !existsSync(tarball)) await keepTarball();
console.log(
	`${Object.keys(kept.parameters).length} parameters and ${states.length} states of ${version} kept in ${relative(root, folder)}`,
);
