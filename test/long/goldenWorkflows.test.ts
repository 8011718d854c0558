import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import camelCase from 'lodash/camelCase';
import { keptReleases } from '../../compat/releases.ts';
import { projectRoot } from '../../harness/paths.ts';

const root = projectRoot();

/** The workflow files of a release that are other bytes than today's: test/e2e imports and runs the others. */
function changedSince(folder: string): string[] {
	const today = new Set(readdirSync(join(root, 'workflows')));
	return readdirSync(folder).filter(
		(file) =>
			!today.has(file) ||
			!readFileSync(join(folder, file)).equals(readFileSync(join(root, 'workflows', file))),
	);
}

it.each(keptReleases())(
	'the workflow files of $version are imported and run in real n8n with the package of today',
	({ folder }) => {
		const workflows = join(folder, 'workflows');
		const changed = changedSince(workflows);
		if (changed.length === 0) return;
		const { status, stderr } = spawnSync(
			process.execPath,
			[
				join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
				...['--config', join('test', 'e2e', 'jest.config.js'), 'test/e2e/workflows/every'],
				...changed.map((file) => `test/e2e/workflows/${camelCase(file.replace('.json', ''))}.test`),
			],
			{ cwd: root, encoding: 'utf8', env: { ...process.env, HOSPITALITY_BOOKING_WORKFLOWS: workflows } },
		);
		expect(`${status} ${status === 0 ? '' : stderr}`).toBe('0 ');
	},
	900_000,
);
