import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { projectRoot } from '../dev/paths.ts';
import { lostSince, type StoredInterface } from './storedInterface.ts';

/** What is kept of a version (`npm run keep-release`). */
export interface KeptRelease {
	version: string;
	folder: string;
	/** The package as npm installs it. */
	tarball: string;
}

const RELEASES = join(projectRoot(), 'compat', 'releases');

/**
 * All versions that are kept, oldest first. None before the first release.
 *
 * @param releases the folder with one folder for each version
 */
export function keptReleases(releases = RELEASES): KeptRelease[] {
	if (!existsSync(releases)) return [];
	return readdirSync(releases)
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
		.map((version) => keptRelease(version, releases));
}

/** Where a version is kept, or would be. */
export function keptRelease(version: string, releases = RELEASES): KeptRelease {
	const folder = join(releases, version);
	return { version, folder, tarball: join(folder, 'package.tgz') };
}

/**
 * Unpacks a tarball once, below the project's folder, so that what the package needs of n8n is found from there.
 *
 * @returns the folder of its package.json
 */
export function unpack(tarball: string): string {
	const mark = createHash('sha256').update(readFileSync(tarball)).digest('hex').slice(0, 16);
	const folder = join(projectRoot(), '.cache', 'releases', mark);
	const unpacked = join(folder, 'package');
	if (!existsSync(join(unpacked, 'package.json'))) {
		mkdirSync(folder, { recursive: true });
		execFileSync('tar', ['-xzf', tarball], { cwd: folder, stdio: 'inherit' });
	}
	return unpacked;
}

/** What of today's package reads what an earlier release stored. */
export interface Reader {
	/** Name of the package. */
	name: string;
	interface: StoredInterface;
	/** Reads a stored state of the trigger. @throws where it cannot */
	readState(state: object): unknown;
}

/**
 * What workflows and credentials that were stored with a kept release would lose with today's package.
 *
 * @returns one line each; none where an upgrade changes nothing
 */
export function lostSinceRelease({ folder }: KeptRelease, today: Reader): string[] {
	const states = readJson<Array<{ event: string; state: object }>>(join(folder, 'states.json'));
	const workflows = globSync('workflows/*.json', { cwd: folder }).sort();
	return [
		...lostSince(readJson<StoredInterface>(join(folder, 'interface.json')), today.interface),
		...workflows.flatMap((file) => lostInWorkflow(join(folder, file), today)),
		...states.flatMap(({ event, state }) => {
			try {
				today.readState(state);
				return [];
			} catch (error) {
				return [`the stored state of ${event}: ${(error as Error).message}`];
			}
		}),
	];
}

/** Parameters that n8n adds to nodes by itself. */
const N8N_OWN = ['requestOptions', 'pollTimes', 'descriptionType', 'toolDescription'];

interface StoredNode {
	type: string;
	typeVersion: number;
	parameters: Record<string, unknown>;
}

/** The parameters in a workflow file that are on no form of today. */
function lostInWorkflow(file: string, { name, interface: { parameters: forms } }: Reader): string[] {
	const known = new Set(Object.keys(forms).map((place) => place.split(' ').slice(0, 3).join(' ')));
	return readJson<{ nodes: StoredNode[] }>(file).nodes.flatMap(({ type, typeVersion, parameters }) => {
		const path = type.replace('.', '/');
		if (dirname(path) !== name) return [];
		const node = `${basename(path).replace(/Tool$/, '')}@${typeVersion}`;
		const { resource, operation, event } = parameters as Record<string, string>;
		const places = ['*.*', `${resource}.*`, `${resource}.${operation}`, event];
		return Object.keys(parameters)
			.filter(
				(one) => !N8N_OWN.includes(one) && !places.some((place) => known.has(`${node} ${place} ${one}`)),
			)
			.map((one) => `${basename(file)}: ${node} has no parameter ${one} any more`);
	});
}

function readJson<T>(file: string): T {
	return JSON.parse(readFileSync(file, 'utf8')) as T;
}
