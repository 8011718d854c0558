import {
	copyFileSync,
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	statfsSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from './children.ts';
import { npmCommand } from './npm.ts';
import { projectRoot } from './paths.ts';

const NEEDED_MB = 3_000;
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

/** The content of `compat/versions.json`. */
export interface N8nVersions {
	/** Oldest first. */
	versions: SupportedN8n[];
	/** Those that are not promised, with the reason, e.g. that they do not install. */
	others: Array<{ version: string; reason: string; overrides?: Record<string, string> }>;
}

/** An n8n on this machine. */
export interface N8nInstall {
	version: string;
	/** Folder whose `node_modules` holds n8n. */
	folder: string;
}

/** An n8n cannot be had on this machine: its registry lacks it, cannot be reached, or the disk is full. */
export class NotAvailableError extends Error {}

const NOT_AVAILABLE =
	/npm (?:error|ERR!) code (E404|ETARGET|ENOVERSIONS|ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOSPC)/;

/** Reads `compat/versions.json`. */
export function n8nVersions(): N8nVersions {
	return JSON.parse(readFileSync(join(projectRoot(), 'compat', 'versions.json'), 'utf8')) as N8nVersions;
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
 * @throws when harness/ is not installed
 */
export function defaultN8n(): N8nInstall {
	const folder = join(projectRoot(), 'harness');
	const version = versionIn(folder);
	if (version === undefined) {
		throw new Error(
			'n8n is not installed in harness/. Start with npm run demo or npm test, which install it.',
		);
	}
	return { version, folder };
}

/**
 * A version of n8n in a folder of its own, installed on first use: about 2 GB. Overrides are those of
 * `compat/versions.json`; a version that is not listed there is tried without any, then with the newest one's.
 *
 * @param progress told what is being done
 * @throws NotAvailableError where it cannot be had; another error where npm fails for any other reason
 */
export async function installN8n(
	version: string,
	progress: (step: string) => void = () => undefined,
): Promise<N8nInstall> {
	const own = defaultN8n();
	if (own.version === version) return own;
	const folder = join(projectRoot(), '.cache', 'n8n', version);
	const ready = join(folder, 'ready');
	const manifests = manifestsOf(version);
	if (existsSync(ready) && manifests.includes(readFileSync(ready, 'utf8'))) return { version, folder };

	progress(`Installing n8n ${version} (about 2 GB)`);
	let refused: unknown;
	for (const manifest of manifests) {
		try {
			await installInto(folder, version, manifest);
			await addDatabaseDriver(folder, own.folder);
			writeFileSync(ready, manifest);
			return { version, folder };
		} catch (error) {
			refused = error;
		}
	}
	throw refused;
}

async function installInto(folder: string, version: string, manifest: string): Promise<void> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const { bavail, bsize } = statfsSync(folder);
	const freeMb = Math.round((bavail * bsize) / 1e6);
	if (freeMb < NEEDED_MB) {
		throw new NotAvailableError(
			`n8n ${version} takes up to ${NEEDED_MB} MB; this disk has ${freeMb} MB left.`,
		);
	}
	writeFileSync(join(folder, 'package.json'), manifest);
	if (existsSync(lockOf(version))) copyFileSync(lockOf(version), join(folder, 'package-lock.json'));
	else await npm(folder, ['install', '--package-lock-only', '--legacy-peer-deps', '--prefer-offline']);
	try {
		await run({
			name: 'bun install',
			command: join(projectRoot(), 'node_modules', 'bun', 'bin', 'bun.exe'),
			args: ['install', '--ignore-scripts', '--linker', 'hoisted', '--no-progress'],
			cwd: folder,
			env: { ...process.env, BUN_INSTALL_CACHE_DIR: join(projectRoot(), '.cache', 'bun') },
		});
	} catch {
		// npm installs the same, in ten times the time.
		rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
		await npm(folder, ['install', '--legacy-peer-deps', '--ignore-scripts', '--prefer-offline']);
	}
}

/** Where the lock file of a version is, so that CI tests the same packages every time. */
function lockOf(version: string): string {
	return join(projectRoot(), 'compat', 'locks', version, 'package-lock.json');
}

/** What package.json is tried with, one after the other. */
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

async function npm(folder: string, args: string[]): Promise<void> {
	const { command, args: all } = npmCommand([...args, '--no-audit', '--no-fund']);
	try {
		await run({ name: `npm ${args[0]}`, command, args: all, cwd: folder, env: process.env });
	} catch (error) {
		const { message } = error as Error;
		const [, reason] = NOT_AVAILABLE.exec(message) ?? [];
		if (reason === undefined) throw error;
		throw new NotAvailableError(`npm could not fetch it (${reason})`, { cause: error });
	}
}

/** The driver's binary works with every Node: that of harness/ serves where the driver's version is the same. */
async function addDatabaseDriver(folder: string, from: string): Promise<void> {
	const driver = join('node_modules', 'sqlite3');
	const versionOf = (base: string) =>
		(JSON.parse(readFileSync(join(base, driver, 'package.json'), 'utf8')) as { version: string }).version;
	const built = join(from, driver, 'build');
	if (existsSync(built) && versionOf(from) === versionOf(folder)) {
		cpSync(built, join(folder, driver, 'build'), { recursive: true });
	} else {
		await npm(folder, ['rebuild', 'sqlite3', '--ignore-scripts=false']);
	}
}
