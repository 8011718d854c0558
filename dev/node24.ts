import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** @returns the Node that runs TypeScript: the toolchain's if jest runs on an older one */
export function node24(): string {
	const own = join(projectRoot(), 'node_modules', '.bin', 'node');
	return Number(process.versions.node.split('.')[0]) < 24 && existsSync(own) ? own : process.execPath;
}
