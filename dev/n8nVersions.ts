import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './children.ts';
import { npmCommand } from './npm.ts';
import { projectRoot } from './paths.ts';

/** n8n's spreadsheet nodes need it as a peer, which npm leaves out with --legacy-peer-deps. */
const DATE_FNS = '2.30.0';

/** A version of n8n that this package is tried with. */
export interface SupportedN8n {
	version: string;
	/** What it stands for, e.g. "the last 1.x". */
	what?: string;
	/** npm's overrides without which this version does not install or start. */
	overrides: Record<string, string>;
}

/** The content of `dev/versions.json`. */
export interface N8nVersions {
	/** When those between the oldest and the newest were last tested. */
	othersTested: string;
	/** Oldest first. */
	versions: SupportedN8n[];
	/** Versions that are not supported, with the reason, e.g. that they do not install. */
	others: Array<{ version: string; reason: string; overrides?: Record<string, string> }>;
}

/** An n8n on this machine. */
export interface N8nInstall {
	version: string;
	/** Folder whose `node_modules` holds n8n. */
	folder: string;
}

/** A version of n8n cannot be installed: the registry lacks it or cannot be reached, or the disk is full. */
export class NotAvailableError extends Error {}

/** What scripts/bootstrap.mjs and npm print if the version, the network or disk space is missing. */
const NOT_AVAILABLE = /No network|No room|The disk is full|code (?:E404|ETARGET|ENOVERSIONS)/;

/** Reads `dev/versions.json`. */
export function n8nVersions(): N8nVersions {
	return JSON.parse(readFileSync(join(projectRoot(), 'dev', 'versions.json'), 'utf8')) as N8nVersions;
}

/** Below 0 where the first version is the older one. */
export function compareVersions(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}

/** The version of n8n in a folder's `node_modules`; undefined where there is none. */
function versionIn(folder: string): string | undefined {
	const manifest = join(folder, 'node_modules', 'n8n', 'package.json');
	if (!existsSync(manifest)) return undefined;
	return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/**
 * The n8n that the demo, the tests and the benchmarks run unless told otherwise.
 *
 * @throws when dev/ is not installed
 */
export function defaultN8n(): N8nInstall {
	const folder = join(projectRoot(), 'dev');
	const version = versionIn(folder);
	if (version === undefined) {
		throw new Error('n8n is not installed in dev/. Start with npm run demo or npm test, which install it.');
	}
	return { version, folder };
}

/**
 * A version of n8n in a folder of its own, installed on first use: about 2 GB. Overrides are those of
 * `dev/versions.json`; an unlisted version is tried without any, then with those of the newest.
 *
 * @param progress told what is being done
 * @throws NotAvailableError if it cannot be installed; another error if npm fails for any other reason
 */
export async function installN8n(
	version: string,
	progress: (step: string) => void = () => undefined,
): Promise<N8nInstall> {
	const own = defaultN8n();
	if (own.version === version) return own;
	const folder = join(projectRoot(), '.cache', 'n8n', version);
	progress(`Installing n8n ${version} where it is missing (about 2 GB)`);
	let refused: unknown;
	for (const manifest of manifestsOf(version)) {
		try {
			await installInto(folder, version, manifest);
			return { version, folder };
		} catch (error) {
			refused = error;
		}
	}
	throw refused;
}

async function installInto(folder: string, version: string, manifest: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const lock = join(folder, 'package-lock.json');
	const isAsBefore = existsSync(lock) && readFileSync(join(folder, 'package.json'), 'utf8') === manifest;
	writeFileSync(join(folder, 'package.json'), manifest);
	writeFileSync(join(folder, '.npmrc'), 'legacy-peer-deps=true\n');
	if (existsSync(lockOf(version))) copyFileSync(lockOf(version), lock);
	else if (!isAsBefore) {
		rmSync(lock, { force: true });
		const { command, args } = npmCommand(['install', '--package-lock-only', '--prefer-offline']);
		await runInstaller(command, args, folder);
	}
	const script = join(projectRoot(), 'scripts', 'bootstrap.mjs');
	await runInstaller(process.execPath, [script, folder], projectRoot());
}

async function runInstaller(command: string, args: string[], cwd: string): Promise<void> {
	try {
		await run({ name: 'The installation', command, args, cwd, env: process.env });
	} catch (error) {
		const { message } = error as Error;
		const [reason] = NOT_AVAILABLE.exec(message) ?? [];
		if (reason === undefined) throw error;
		throw new NotAvailableError(`npm could not fetch it (${reason})`, { cause: error });
	}
}

/** The lock file of a version: with it, CI tests the same packages every time. */
function lockOf(version: string): string {
	return join(projectRoot(), 'dev', 'versions', version, 'package-lock.json');
}

/** The contents of package.json to try, one after the other. */
function manifestsOf(version: string): string[] {
	const { versions, others } = n8nVersions();
	const listed = [...versions, ...others].find((one) => one.version === version);
	const choices = listed ? [listed.overrides] : [undefined, versions.at(-1)?.overrides];
	return choices.map((overrides) =>
		JSON.stringify({
			name: `n8n-${version}`,
			private: true,
			dependencies: { 'date-fns': DATE_FNS, n8n: version },
			overrides,
		}),
	);
}
