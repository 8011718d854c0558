import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage } from '../../../scripts/packageChecks.ts';

const soundManifest = {
	name: 'n8n-nodes-example',
	license: 'MIT',
	homepage: 'https://example.com',
	author: { name: 'Someone' },
	repository: { type: 'git', url: 'https://example.com/repository.git' },
	keywords: ['n8n-community-node-package'],
	files: ['dist'],
	n8n: {
		n8nNodesApiVersion: 1,
		nodes: ['dist/nodes/Example/Example.node.js'],
		credentials: ['dist/credentials/ExampleApi.credentials.js'],
	},
};

const soundFiles: Record<string, string> = {
	'dist/nodes/Example/Example.node.js': "exports.Example = { icon: 'file:../../icons/example.svg' };",
	'dist/nodes/Example/Example.node.json': '{}',
	'dist/credentials/ExampleApi.credentials.js': 'exports.ExampleApi = {};',
	'dist/icons/example.svg': '<svg/>',
	LICENSE: 'MIT',
};

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'package-checks-'));
});

afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** The findings for a sound package with some fields and files changed; `undefined` takes one away. */
function findings(
	manifest: Record<string, unknown> = {},
	files: Record<string, string | undefined> = {},
	foreignTexts?: string[],
): string[] {
	const all = { ...soundFiles, 'package.json': JSON.stringify({ ...soundManifest, ...manifest }), ...files };
	for (const [path, text] of Object.entries(all)) {
		if (text === undefined) continue;
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	return checkPackage(folder, foreignTexts);
}

test('finds nothing in a sound package', () => {
	expect(findings()).toEqual([]);
});

test.each<[string, Record<string, unknown>, RegExp]>([
	['an optional dependency', { optionalDependencies: { fsevents: '2' } }, /"optionalDependencies" is not/],
	['a bundled dependency', { bundledDependencies: ['lodash'] }, /"bundledDependencies" is not empty/],
	['a missing homepage', { homepage: undefined }, /"homepage" is missing/],
	['a missing repository', { repository: undefined }, /"repository" is missing/],
	['no nodes', { n8n: { ...soundManifest.n8n, nodes: [] } }, /"n8n.nodes" is empty/],
	[
		'a node that is not in the package',
		{ n8n: { ...soundManifest.n8n, nodes: [...soundManifest.n8n.nodes, 'dist/nodes/Gone/Gone.node.js'] } },
		/"n8n.nodes" names dist\/nodes\/Gone\/Gone.node.js/,
	],
])('reports %s', (_, manifest, message) => {
	expect(findings(manifest).join('\n')).toMatch(message);
});

test.each<[string, Record<string, string | undefined>, RegExp]>([
	[
		'a node nobody registered',
		{ 'dist/nodes/New/New.node.js': '' },
		/dist\/nodes\/New\/New.node.js: not named/,
	],
	[
		'a credential nobody registered',
		{ 'dist/credentials/N.credentials.js': '' },
		/N.credentials.js: not named/,
	],
	['a missing codex file', { 'dist/nodes/Example/Example.node.json': undefined }, /codex file is missing/],
	['a missing icon', { 'dist/icons/example.svg': undefined }, /its icon dist\/icons\/example.svg/],
	['a file beside dist', { 'test/a.js': '' }, /test\/a.js: does not belong/],
	['a test in dist', { 'dist/nodes/a.test.js': '' }, /a.test.js: a file of the development/],
	['invalid JSON', { 'dist/nodes/Example/Example.node.json': '{' }, /not valid JSON/],
	[
		'a reference to an absent source map',
		{ 'dist/nodes/a.js': '//# sourceMappingURL=a.js.map' },
		/source map a.js.map/,
	],
	['a source map', { 'dist/nodes/a.js.map': '{}' }, /a.js.map: does not belong/],
	['a declaration file', { 'dist/nodes/a.d.ts': '' }, /a.d.ts: does not belong/],
	['a bitmap as an icon', { 'dist/icons/example.png': '' }, /example.png: does not belong/],
])('reports %s', (_, files, message) => {
	expect(findings({}, files).join('\n')).toMatch(message);
});

test('reports texts that may not leave the machine', () => {
	expect(findings({}, { 'dist/nodes/a.js': '// built in /home/someone' }, ['/home/someone'])).toEqual([
		'dist/nodes/a.js: contains "/home/someone"',
	]);
});
