import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { makeCredentialType, makeNode, manifest, root, sourcePath } from '../support/packageSources';

/** Those that n8n's nodes panel knows; in a node's own codex 'AI' hides the node from it. */
const CATEGORY =
	/^(Analytics|Communication|Core Nodes|Data & Storage|Development|Finance & Accounting|Marketing|Miscellaneous|Productivity|Sales|Utility)$/;

interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	alias: string[];
	resources: Record<'primaryDocumentation' | 'credentialDocumentation', Array<{ url: string }>>;
}

function readJson<T>(path: string): T {
	return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

interface LockedPackage {
	optionalDependencies?: Record<string, string>;
}

/** Whether a lock file has a package where Node would look for it from another package's folder. */
function isLocked(packages: Record<string, LockedPackage>, folder: string, name: string): boolean {
	const inside = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
	if (inside in packages) return true;
	const above = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, '');
	return above !== folder && isLocked(packages, above, name);
}

/** The fields within a fixedCollection, at any depth, that have displayOptions. */
function dependentFields(fields: INodeProperties[], isInside = false): string[] {
	return fields.flatMap(({ displayName, displayOptions, type, options = [] }) => [
		...(isInside && displayOptions ? [displayName] : []),
		...options.flatMap((option) =>
			dependentFields(
				'values' in option ? option.values : 'type' in option ? [option] : [],
				isInside || type === 'fixedCollection',
			),
		),
	]);
}

describe('package.json', () => {
	test('has no dependency that users would install', () => {
		expect(manifest.files).toEqual(['dist']);
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const others = Object.keys(manifest).filter((name) => /dependencies$|^overrides$/i.test(name));
		expect(others.sort()).toEqual(['devDependencies', 'peerDependencies']);
	});

	test('tests against the engine of the n8n that the demo runs', () => {
		const demo = readJson<{ dependencies: Record<string, string> }>('dev/package.json');

		expect(manifest.devDependencies['n8n-core']).toBe(demo.dependencies.n8n);
	});

	test.each(['package-lock.json', 'dev/package-lock.json'])(
		'%s names no registry, and has an entry for every platform that a package names a binary for, so that npm ci works on each',
		(path) => {
			expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/"resolved": "http/);
			const { packages } = readJson<{ packages: Record<string, LockedPackage> }>(path);
			const named = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
				Object.keys(optionalDependencies).map((name) => ({ folder, name })),
			);
			const absent = named.filter(({ folder, name }) => !isLocked(packages, folder, name));

			expect(named.length).toBeGreaterThan(0);
			expect(absent).toEqual([]);
		},
	);

	test('has nothing in git of what npm installs, a link to it included', () => {
		const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');

		expect(files).toContain('package.json');
		expect(files.filter((file) => file.includes('node_modules'))).toEqual([]);
	});
});

describe.each(manifest.n8n.nodes)('%s', (path) => {
	const { description } = makeNode(path);
	const codex = readJson<Codex>(sourcePath(path).replace(/\.ts$/, '.json'));

	test('has a codex file that n8n understands', () => {
		expect(codex).toMatchObject({
			node: `${manifest.name}.${description.name}`,
			codexVersion: '1.0',
			nodeVersion: [description.version].flat().at(-1)?.toFixed(1),
		});
		expect(codex.categories).not.toEqual([]);
		for (const category of codex.categories) expect(category).toMatch(CATEGORY);
		// n8n gives one to the tool variant itself; here it would hide the actions.
		expect(codex).not.toHaveProperty('subcategories');
		for (const { url } of Object.values(codex.resources).flat()) expect(url).toMatch(/^https:\/\//);
	});

	test('is found by searching what it is about', () => {
		const searched = [description.displayName, ...codex.alias].join(' ').toLowerCase();

		const own = { hospitalityBooking: ['survey'], hospitalityPayment: ['subscription'] }[description.name];
		for (const word of ['booking', 'reservation', 'restaurant', 'hotel', 'hospitality', ...(own ?? [])]) {
			expect(searched).toContain(word);
		}
	});

	test('has no field of a fixedCollection that depends on another, which n8n 2.33 and later refuse', () => {
		expect(dependentFields(description.properties)).toEqual([]);
	});
});

test.each(manifest.n8n.credentials)('%s hides every secret', (path) => {
	const { properties } = makeCredentialType(path);
	const secrets = properties.filter(({ name }) => /secret|password|token$/i.test(name));

	expect(secrets.length).toBeGreaterThan(1);
	for (const { typeOptions } of secrets) expect(typeOptions?.password).toBe(true);
});

describe('icons', () => {
	test.each(readdirSync(join(root, 'icons')))('%s is square, drawn in code and self-contained', (name) => {
		const svg = readFileSync(join(root, 'icons', name), 'utf8');
		const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg) ?? [];

		expect(Number(width)).toBeGreaterThan(0);
		expect(height).toBe(width);
		expect(svg).not.toMatch(/<(image|script|style|foreignObject)|href=/);
		expect(existsSync(join(root, 'icons', name.replace(/(\.dark)?\.svg$/, '.dark.svg')))).toBe(true);
	});
});
