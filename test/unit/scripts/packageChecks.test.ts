import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage } from '../../../scripts/packageChecks.ts';

const SOUND: Record<string, string> = {
	'dist/nodes/Example/Example.node.js': "exports.Example = { icon: 'file:../../icons/example.svg' };",
	'dist/nodes/Example/Example.node.json': '{}',
	'dist/credentials/ExampleApi.credentials.js': 'exports.ExampleApi = {};',
	'dist/icons/example.svg': '<svg/>',
	LICENSE: 'MIT',
	'package.json': '{}',
};

const folder = mkdtempSync(join(tmpdir(), 'package-checks-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function findings(files: Record<string, string>): string[] {
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	return checkPackage(folder, ['/home/someone']);
}

test('finds what does not belong in a package, and what may not leave the machine', () => {
	expect(findings(SOUND)).toEqual([]);
	expect(
		findings({
			'dist/icons/example.png': '',
			'dist/nodes/a.d.ts': '',
			'dist/nodes/a.js': '//# sourceMappingURL=a.js.map',
			'dist/nodes/a.test.js': '',
			'dist/nodes/b.js': '// built in /home/someone',
			'dist/nodes/b.js.map': '{}',
			'test/a.js': '',
		}),
	).toEqual([
		'dist/icons/example.png: does not belong in the package',
		'dist/nodes/a.d.ts: does not belong in the package',
		'dist/nodes/a.js: refers to the source map a.js.map, which is not in the package',
		'dist/nodes/a.test.js: a file of the development, not of the package',
		'dist/nodes/b.js: contains "/home/someone"',
		'dist/nodes/b.js.map: does not belong in the package',
		'test/a.js: does not belong in the package',
	]);
});
