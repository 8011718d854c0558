import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../harness/paths.ts';

/** What is kept of a version (`npm run keep-release`). */
export interface KeptRelease {
	version: string;
	folder: string;
	/** The package as npm installs it. */
	tarball: string;
}

/** All versions that are kept, oldest first. */
export function keptReleases(): KeptRelease[] {
	const all = join(projectRoot(), 'compat', 'releases');
	return readdirSync(all)
		.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
		.map((version) => keptRelease(version));
}

/** Where a version is kept, or would be. */
export function keptRelease(version: string): KeptRelease {
	const folder = join(projectRoot(), 'compat', 'releases', version);
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
