import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** n8n's spreadsheet nodes need it as a peer, which npm leaves out with --legacy-peer-deps. */
const DATE_FNS = '2.30.0';

/** A version of n8n that this package is tried with. */
export interface SupportedN8n {
	version: string;
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
 * A version of n8n in a folder of its own, installed on first use: about 2 GB. Overrides are those of `dev/versions.json`; an
 * unlisted version is tried with those of the newest.
 *
 * @param progress told what is being done
 * @throws when it cannot be installed
 */
export async function installN8n(
	version: string,
	progress: (step: string) => void = () => undefined,
): Promise<N8nInstall> {
	const newest = join(projectRoot(), 'dev');
	if (versionIn(newest) === version) return defaultN8n();
	const { versions, others } = n8nVersions();
	const { overrides } =
		[...versions, ...others].find((one) => one.version === version) ?? versions.at(-1) ?? {};
	const dependencies = { 'date-fns': DATE_FNS, n8n: version };
	const folder = join(projectRoot(), '.cache', 'n8n', version);
	const lock = join(newest, 'versions', version, 'package-lock.json');
	progress(`Installing n8n ${version} where it is missing (about 2 GB)`);
	mkdirSync(folder, { recursive: true });
	const manifest = { name: `n8n-${version}`, private: true, dependencies, overrides };
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	copyFileSync(join(newest, '.npmrc'), join(folder, '.npmrc'));
	if (existsSync(lock)) copyFileSync(lock, join(folder, 'package-lock.json'));
	await bootstrap(folder);
	return { version, folder };
}

/**
 * Installs n8n and the mail inbox if missing: about 2 GB, so only scripts that need them call it.
 *
 * @throws if that fails, after npm has said why
 */
export async function installHarness(): Promise<void> {
	await bootstrap('demo');
}

async function bootstrap(what: string): Promise<void> {
	const script = join(projectRoot(), 'scripts', 'bootstrap.mjs');
	const [code] = await once(spawn(process.execPath, [script, what], { stdio: 'inherit' }), 'exit');
	if (code !== 0) throw new Error('n8n could not be installed.');
}
