import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { n8nVersions } from '../../../harness/n8nVersions.ts';
import { manifest, root } from '../../support/packageSources';

const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8');

function lint(linter: string, ...args: string[]) {
	const { status, stdout } = spawnSync(process.execPath, [linter, ...args], { cwd: root, encoding: 'utf8' });
	return { status, stdout };
}

describe.each(['docker', 'scaling'])('docs/%s', (folder) => {
	it('has a Dockerfile that a linter has nothing to say about', () => {
		const linter = require.resolve('dockerfilelint/bin/dockerfilelint');

		expect(lint(linter, join('docs', folder, 'Dockerfile'))).toEqual({
			status: 0,
			stdout: expect.stringContaining('None found'),
		});
	});

	it('has a compose file that a linter accepts without a warning', () => {
		const linter = join(root, 'node_modules', '.bin', 'dclint');
		const args = ['--max-warnings', '0', '--color', 'false', join('docs', folder, 'compose.yaml')];

		expect(lint(linter, ...args)).toEqual({ status: 0, stdout: expect.not.stringContaining('warning') });
	});
});

it('docs/scaling has its secrets from files and no password in it', () => {
	const text = read('scaling/compose.yaml');

	expect(text).not.toMatch(/PASSWORD: |ENCRYPTION_KEY: /);
	expect(text).toMatch(/file: \.\/secrets\/postgres_password/);
});

it('docs/docker installs this version on the newest n8n that was tested, where n8n looks for packages', () => {
	const text = read('docker/Dockerfile');

	expect(text).toContain(`FROM n8nio/n8n:${n8nVersions().versions.at(-1)?.version}`);
	expect(text).toContain(`${manifest.name}@${manifest.version}`);
	expect(text).toContain('WORKDIR /home/node/.n8n/nodes');
});
