import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The project's root folder: the nearest folder from the working directory upwards that holds `dev/` and
 * `nodes/`. npm scripts and jest both start there.
 *
 * @throws when called from outside of the project
 */
export function projectRoot(): string {
	for (let folder = process.cwd(); ; folder = dirname(folder)) {
		if (
			existsSync(join(folder, 'dev', 'package.json')) &&
			existsSync(join(folder, 'package.json'))
		) {
			return folder;
		}
		if (folder === dirname(folder)) {
			throw new Error(`${process.cwd()} is not inside of the project's folder.`);
		}
	}
}

/** @returns the Node that runs TypeScript: the one that scripts/bootstrap.mjs has fetched if jest runs on an older one */
export function node24(): string {
	if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
	const modules = join(projectRoot(), '.cache', 'node24', 'node_modules');
	const name = readdirSync(modules).find((one) => one.startsWith('node-')) ?? '';
	return join(modules, name, 'bin', 'node');
}
