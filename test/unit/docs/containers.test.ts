import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { n8nVersions } from '../../../dev/n8nVersions.ts';
import { manifest, root } from '../../support/packageSources';

const read = (file: string) => readFileSync(join(root, 'docs', file), 'utf8');

describe.each(['docker', 'scaling'])('docs/%s', (folder) => {
	it.each([
		['Dockerfile', 'dockerfilelint/bin/dockerfilelint', [], /None found/],
		[
			'compose.yaml',
			'dclint/bin/dclint.cjs',
			['--max-warnings', '0', '--color', 'false'],
			/^(?![\s\S]*warning)/,
		],
	])('has a %s that a linter has nothing to say about', (file, linter, args, said) => {
		const command = [join(root, 'node_modules', linter), ...args, join('docs', folder, file)];
		const { status, stdout } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
		expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(said) });
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
