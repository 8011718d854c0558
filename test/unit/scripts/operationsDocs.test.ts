import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/packageSources';
import { node24 } from '../../../harness/node24.ts';

function check(...args: string[]): { status: number | null; stderr: string } {
	const { status, stderr } = spawnSync(node24(), ['scripts/operationsDocs.ts', '--check', ...args], {
		cwd: root,
		encoding: 'utf8',
	});
	return { status, stderr };
}

test('docs/operations.md says what the nodes do', () => {
	expect(check()).toEqual({ status: 0, stderr: '' });
});

test('fails on a stale page and says how to write it anew', () => {
	const folder = mkdtempSync(join(tmpdir(), 'operations-'));
	const page = join(folder, 'operations.md');
	try {
		writeFileSync(page, readFileSync(join(root, 'docs/operations.md'), 'utf8').replace('Cancel', 'Delete'));

		const { status, stderr } = check(page);
		expect(status).toBe(1);
		expect(stderr).toContain('npm run docs');
	} finally {
		rmSync(folder, { recursive: true });
	}
});
