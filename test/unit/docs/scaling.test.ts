import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
const compose = join(ROOT, 'docs', 'scaling', 'compose.yaml');

describe('docs/scaling.md', () => {
	it('has a compose file that a compose linter accepts without a warning', () => {
		const linter = join(ROOT, 'node_modules', '.bin', 'dclint');
		const { status, stdout } = spawnSync(linter, ['--max-warnings', '0', '--color', 'false', compose], {
			encoding: 'utf8',
		});
		expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining('warning') });
	});

	it('has a compose file with secrets from files and no password in it', () => {
		const text = readFileSync(compose, 'utf8');
		expect(text).not.toMatch(/PASSWORD: |ENCRYPTION_KEY: /);
		expect(text).toMatch(/file: \.\/secrets\/postgres_password/);
	});
});
