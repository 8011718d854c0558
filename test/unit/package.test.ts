import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { makeCredentialType, makeNode, manifest, root, sourcePath } from '../support/packageSources';
import { changelogSection } from '../../scripts/releaseChecks.ts';

/** The categories that n8n's nodes panel knows. */
const CATEGORIES = [
	'AI',
	'Analytics',
	'Communication',
	'Core Nodes',
	'Data & Storage',
	'Development',
	'Finance & Accounting',
	'Marketing',
	'Miscellaneous',
	'Productivity',
	'Sales',
	'Utility',
];

interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	subcategories?: Record<string, string[]>;
	alias: string[];
	resources: {
		primaryDocumentation: Array<{ url: string }>;
		credentialDocumentation: Array<{ url: string }>;
	};
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

function iconFiles(icon: INodeTypeDescription['icon'] | ICredentialType['icon']): string[] {
	if (typeof icon !== 'object') throw new Error('There is no icon for light and dark grounds.');
	return [icon.light, icon.dark];
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

test('a field that depends on another is found at any depth of a fixedCollection, and only there', () => {
	const field = (rest: Partial<INodeProperties>): INodeProperties => {
		return { displayName: 'Field', name: 'field', type: 'string', default: '', ...rest };
	};
	const dependent = field({ displayName: 'Dependent', displayOptions: { show: { other: [true] } } });
	const more = field({ type: 'collection', options: [dependent] });
	const rows = (values: INodeProperties[]) => {
		const options = [{ displayName: 'Row', name: 'row', values }];
		return field({ type: 'fixedCollection', options });
	};

	expect(dependentFields([more, dependent])).toEqual([]);
	expect(
		dependentFields([rows([dependent]), field({ type: 'collection', options: [rows([more])] })]),
	).toEqual(['Dependent', 'Dependent']);
});

describe('package.json', () => {
	test('is found by n8n as a community package', () => {
		expect(manifest.name).toBe('n8n-nodes-hospitality-booking');
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.n8n.n8nNodesApiVersion).toBe(1);
		expect(manifest.license).toBe('MIT');
		expect(existsSync(join(root, 'LICENSE'))).toBe(true);
		expect(manifest.homepage).toMatch(/^https:/);
		expect(manifest).toHaveProperty('repository.url');
	});

	test('has no dependency that users would install', () => {
		expect(manifest.files).toEqual(['dist']);
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		for (const field of [
			'dependencies',
			'optionalDependencies',
			'bundledDependencies',
			'bundleDependencies',
			'overrides',
		])
			expect(manifest).not.toHaveProperty(field);
	});

	test('tests against the engine of the n8n that the demo runs', () => {
		const demo = readJson<{ dependencies: Record<string, string> }>('harness/package.json');

		expect(manifest.devDependencies['n8n-core']).toBe(demo.dependencies.n8n);
	});

	test('registers every node and every credential type there is', () => {
		const nodes = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' });
		const credentials = readdirSync(join(root, 'credentials'), { encoding: 'utf8' });

		expect(manifest.n8n.nodes.map(sourcePath).sort()).toEqual(
			nodes
				.filter((path) => path.endsWith('.node.ts'))
				.map((path) => `nodes/${path}`)
				.sort(),
		);
		expect(manifest.n8n.credentials.map(sourcePath).sort()).toEqual(
			credentials
				.filter((path) => path.endsWith('.credentials.ts'))
				.map((path) => `credentials/${path}`)
				.sort(),
		);
	});

	test.each(['package-lock.json', 'harness/package-lock.json'])('%s names no registry', (path) => {
		expect(readFileSync(join(root, path), 'utf8')).not.toMatch(/"resolved": "http/);
	});

	test.each(['package-lock.json', 'harness/package-lock.json'])(
		'%s has an entry for every platform that a package names a binary for, so that npm ci works on each',
		(path) => {
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
		const { stdout } = spawnSync('git', ['ls-files', '*node_modules*'], { cwd: root, encoding: 'utf8' });

		expect(stdout).toBe('');
	});

	test('says in the changelog what its version or the next one brings', () => {
		const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
		const sections = ['Unreleased', manifest.version].map((version) => changelogSection(changelog, version));

		expect(sections.filter(Boolean)).not.toEqual([]);
	});
});

describe.each(manifest.n8n.nodes)('%s', (path) => {
	const source = sourcePath(path);

	test('has a codex file that n8n understands', () => {
		const { description } = makeNode(path);
		const codex = readJson<Codex>(source.replace(/\.ts$/, '.json'));

		expect(codex.node).toBe(`${manifest.name}.${description.name}`);
		expect(codex.codexVersion).toBe('1.0');
		expect(codex.nodeVersion).toBe([description.version].flat().at(-1)?.toFixed(1));
		expect(codex.categories.length).toBeGreaterThan(0);
		expect(codex.categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
		for (const { url } of [
			...codex.resources.primaryDocumentation,
			...codex.resources.credentialDocumentation,
		]) {
			expect(url).toMatch(/^https:\/\//);
		}
	});

	test('is found by searching what it is about', () => {
		const { description } = makeNode(path);
		const { alias } = readJson<Codex>(source.replace(/\.ts$/, '.json'));
		const searched = [description.displayName, ...alias].join(' ').toLowerCase();

		for (const word of ['booking', 'reservation', 'restaurant', 'hotel', 'hospitality']) {
			expect(searched).toContain(word);
		}
	});

	test('has no AI category of its own, which would hide it, and no subcategories, which n8n gives to the tool variant itself', () => {
		const { categories, subcategories } = readJson<Codex>(source.replace(/\.ts$/, '.json'));

		// In the node's own codex the category AI hides the node from n8n's panel, the subcategory its actions.
		expect(categories).not.toContain('AI');
		expect(subcategories).toBeUndefined();
	});

	test('has no field of a fixedCollection that depends on another, which n8n 2.33 and later refuse', () => {
		expect(dependentFields(makeNode(path).description.properties)).toEqual([]);
	});

	test('has icons for light and dark grounds', () => {
		for (const icon of iconFiles(makeNode(path).description.icon)) {
			expect(existsSync(join(root, dirname(source), icon.replace('file:', '')))).toBe(true);
		}
	});
});

describe.each(manifest.n8n.credentials)('%s', (path) => {
	const source = sourcePath(path);

	test('has icons for light and dark grounds and a place that documents it', () => {
		const type = makeCredentialType(path);

		for (const icon of iconFiles(type.icon)) {
			expect(existsSync(join(root, dirname(source), icon.replace('file:', '')))).toBe(true);
		}
		expect(type.documentationUrl).toMatch(/^https:\/\//);
	});

	test('hides every secret', () => {
		const secrets = makeCredentialType(path).properties.filter(({ name }) =>
			/secret|password|token$/i.test(name),
		);

		expect(secrets.length).toBeGreaterThan(0);
		for (const { typeOptions } of secrets) expect(typeOptions?.password).toBe(true);
	});
});

describe('icons', () => {
	test.each(readdirSync(join(root, 'icons')))('%s is square, drawn in code and self-contained', (name) => {
		const svg = readFileSync(join(root, 'icons', name), 'utf8');
		const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];

		expect(width).toBe(height);
		expect(svg).not.toMatch(/<(image|script|style|foreignObject)|href=/);
		expect(existsSync(join(root, 'icons', name.replace(/(\.dark)?\.svg$/, '.dark.svg')))).toBe(true);
	});
});
