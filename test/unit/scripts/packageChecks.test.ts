import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage } from '../../../scripts/packageChecks.ts';

const soundFiles: Record<string, string> = {
	'dist/nodes/Example/Example.node.js': "exports.Example = { icon: 'file:../../icons/example.svg' };",
	'dist/nodes/Example/Example.node.json': '{}',
	'dist/credentials/ExampleApi.credentials.js': 'exports.ExampleApi = {};',
	'dist/icons/example.svg': '<svg/>',
	LICENSE: 'MIT',
	'package.json': '{}',
};

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'package-checks-'));
});

afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** The findings for a sound package with some more files. */
function findings(files: Record<string, string> = {}, foreignTexts?: string[]): string[] {
	for (const [path, text] of Object.entries({ ...soundFiles, ...files })) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	return checkPackage(folder, foreignTexts);
}

test('finds nothing in a sound package', () => {
	expect(findings()).toEqual([]);
});

test.each<[string, Record<string, string>, RegExp]>([
	['a file beside dist', { 'test/a.js': '' }, /test\/a.js: does not belong/],
	['a test in dist', { 'dist/nodes/a.test.js': '' }, /a.test.js: a file of the development/],
	[
		'a reference to an absent source map',
		{ 'dist/nodes/a.js': '//# sourceMappingURL=a.js.map' },
		/source map a.js.map/,
	],
	['a source map', { 'dist/nodes/a.js.map': '{}' }, /a.js.map: does not belong/],
	['a declaration file', { 'dist/nodes/a.d.ts': '' }, /a.d.ts: does not belong/],
	['a bitmap as an icon', { 'dist/icons/example.png': '' }, /example.png: does not belong/],
])('reports %s', (_, files, message) => {
	expect(findings(files).join('\n')).toMatch(message);
});

test('reports texts that may not leave the machine', () => {
	expect(findings({ 'dist/nodes/a.js': '// built in /home/someone' }, ['/home/someone'])).toEqual([
		'dist/nodes/a.js: contains "/home/someone"',
	]);
});
