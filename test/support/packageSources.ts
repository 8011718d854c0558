import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialType, INodeType } from 'n8n-workflow';
import { projectRoot } from '../../dev/paths.ts';

/** The parts of package.json that tests look at. */
export interface Manifest {
	name: string;
	files: string[];
	peerDependencies: Record<string, string>;
	n8n: { nodes: string[]; credentials: string[] };
}

export const root = projectRoot();

/** This package's package.json. */
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

/** The source of what package.json registers: `dist/nodes/X/X.node.js` -> `nodes/X/X.node.ts`, from the root. */
export function sourcePath(registered: string): string {
	return registered.replace(/^dist\//, '').replace(/\.js$/, '.ts');
}

/** Makes the class that a path of package.json's "n8n" section stands for, from its source instead of from dist/. */
function makeFromSource(registered: string): unknown {
	const className = registered.replace(/^.*\//, '').replace(/\..*$/, '');
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- the paths are those package.json registers
	const exported = require(join(root, sourcePath(registered))) as Record<
		string,
		(new () => unknown) | undefined
	>;
	if (!exported[className]) {
		throw new Error(`${sourcePath(registered)} exports no class ${className}.`);
	}
	return new exported[className]();
}

/** A node of this package by its path in package.json. */
export function makeNode(registered: string): INodeType {
	return makeFromSource(registered) as INodeType;
}

/** A credential type of this package by its path in package.json. */
export function makeCredentialType(registered: string): ICredentialType {
	return makeFromSource(registered) as ICredentialType;
}

/**
 * The path under which package.json registers a type: the class has the type's name, with a capital.
 *
 * @throws when none is registered
 */
export function registeredPath(paths: string[], typeName: string): string {
	const className = typeName.charAt(0).toUpperCase() + typeName.slice(1);
	const path = paths.find((candidate) => candidate.includes(`/${className}.`));
	if (!path) throw new Error(`package.json registers no ${className}.`);
	return path;
}
