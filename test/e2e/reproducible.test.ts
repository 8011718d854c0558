import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { npmCommand } from '../../dev/npm.ts';
import { root } from '../support/packageSources';

/** Copies what git would have in a clone, builds and packs it there. @returns the tarball's SHA-256 */
function packIn(folder: string): string {
	const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
		encoding: 'utf8',
	});
	for (const file of listed.split('\0').filter(Boolean)) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		cpSync(join(root, file), join(folder, file), { force: true });
	}
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
	for (const args of [
		['run', '--silent', 'build'],
		['pack', '--silent'],
	]) {
		const npm = npmCommand(args);
		execFileSync(npm.command, npm.args, { cwd: folder, stdio: 'pipe' });
	}
	const [tarball = ''] = globSync('*.tgz', { cwd: folder });
	return createHash('sha256')
		.update(readFileSync(join(folder, tarball)))
		.digest('hex');
}

test('two clones build the same tarball, byte for byte', () => {
	const folders = ['one', 'another-place'].map((name) => mkdtempSync(join(tmpdir(), `${name}-`)));
	try {
		const [first, second] = folders.map(packIn);

		expect(first).toMatch(/^[0-9a-f]{64}$/);
		expect(second).toBe(first);
	} finally {
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	}
});
