import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The project's root folder: the nearest folder from the working directory upwards that holds `dev/` and
 * `nodes/`. npm scripts and jest both start there.
 *
 * @throws when called from outside of the project
 */
export function projectRoot(): string {
	for (let folder = process.cwd(); ; folder = dirname(folder)) {
		if (existsSync(join(folder, 'dev', 'package.json')) && existsSync(join(folder, 'package.json')))
			return folder;
		if (folder === dirname(folder))
			throw new Error(`${process.cwd()} is not inside of the project's folder.`);
	}
}
