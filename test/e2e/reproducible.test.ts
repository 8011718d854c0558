import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../dev/children.ts';
import { npmCommand } from '../../dev/npm.ts';
import { packFolder } from '../../dev/package.ts';
import { root } from '../support/packageSources';

/** Builds and packs a clone. @returns the tarball's SHA-256 */
async function packIn(folder: string): Promise<string> {
	execFileSync('git', ['clone', '--quiet', root, folder]);
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
	await run({ name: 'the build', ...npmCommand(['run', 'build']), cwd: folder, env: process.env });
	const tarball = await packFolder(folder, folder);
	return createHash('sha256').update(readFileSync(tarball)).digest('hex');
}

test('two clones build the same tarball, byte for byte', async () => {
	const folders = ['one', 'another-place'].map((name) => mkdtempSync(join(tmpdir(), `${name}-`)));
	try {
		const [first, second] = await Promise.all(folders.map(packIn));

		expect(second).toBe(first);
	} finally {
		for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	}
});
