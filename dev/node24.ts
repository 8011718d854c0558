import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** @returns the Node that runs TypeScript: the one that scripts/bootstrap.mjs has fetched if jest runs on an older one */
export function node24(): string {
	if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
	const modules = join(projectRoot(), '.cache', 'node24', 'node_modules');
	const name = readdirSync(modules).find((one) => one.startsWith('node-')) ?? '';
	return join(modules, name, 'bin', 'node');
}
