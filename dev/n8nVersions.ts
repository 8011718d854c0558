import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import noop from 'lodash/noop.js';
import { projectRoot } from './paths.ts';

/** n8n's spreadsheet nodes need it as a peer, which npm leaves out with --legacy-peer-deps. */
const DATE_FNS = '2.30.0';

/** A version of n8n, with npm's overrides without which it does not install or start. */
interface Version {
	version: string;
	overrides?: Record<string, string>;
}

/** An n8n on this machine. */
export interface N8nInstall {
	version: string;
	/** Folder whose `node_modules` holds n8n. */
	folder: string;
}

const newest = join(projectRoot(), 'dev');
const readJson = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;

/** Those that this package is tried with, oldest first. */
export function n8nVersions() {
	return readJson<{ versions: Version[] }>(join(newest, 'versions.json'));
}

/** Below 0 where the first version is the older one. */
export function compareVersions(one: string, other: string): number {
	return one.localeCompare(other, 'en', { numeric: true });
}

/** The n8n that the demo, the tests and the benchmarks run unless told otherwise, see {@link installN8n}. */
export function defaultN8n(): N8nInstall {
	const { dependencies } = readJson<{ dependencies: { n8n: string } }>(
		join(newest, 'package.json'),
	);
	return { version: dependencies.n8n, folder: newest };
}

/**
 * Installs n8n and the mail inbox where they are missing: about 2 GB.
 *
 * @param version of n8n, in a folder of its own beside that of dev/. Overrides are those of `dev/versions.json`; an unlisted
 * version is tried with those of the newest.
 * @param progress told what is being done
 * @throws if that fails, after npm has said why
 */
export async function installN8n(
	version?: string,
	progress: (step: string) => void = noop,
): Promise<N8nInstall> {
	await bootstrap('demo');
	if (version === undefined || version === defaultN8n().version) return defaultN8n();
	const { versions } = n8nVersions();
	const { overrides } = versions.find((one) => one.version === version) ?? versions.at(-1) ?? {};
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

async function bootstrap(what: string): Promise<void> {
	const script = join(projectRoot(), 'scripts', 'bootstrap.mjs');
	const [code] = await once(spawn(process.execPath, [script, what], { stdio: 'inherit' }), 'exit');
	if (code !== 0) throw new Error('n8n could not be installed: see above.');
}
