import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../support/packageSources';

interface Lock {
	packages: Record<string, { version?: string }>;
}

const page = readFileSync(join(root, 'docs/audit.md'), 'utf8');
const locked = new Set(
	['package-lock.json', 'harness/package-lock.json'].flatMap((file) =>
		Object.entries((JSON.parse(readFileSync(join(root, file), 'utf8')) as Lock).packages).map(
			([path, { version }]) => `${path.split('node_modules/').at(-1)} ${version}`,
		),
	),
);

/** What the page names as locked: the first cell of each row. */
const named = [...page.matchAll(/^\| ([\w.@/-]+ \d[\d.]*) +\|/gm)].map(([, name]) => name ?? '');

test('docs/audit.md names nothing that is not locked any more', () => {
	expect(named.length).toBeGreaterThan(10);
	expect(named.filter((name) => !locked.has(name))).toEqual([]);
});

test('the Security workflow asks the registry for all that docs/audit.md says', () => {
	const { jobs } = parse(readFileSync(join(root, '.github/workflows/security.yml'), 'utf8')) as {
		jobs: { audit: { steps: Array<{ run?: string }> } };
	};
	const asked = jobs.audit.steps.map(({ run }) => run);
	const block = /```\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
	const commands = block.split('\n').map((line) => line.split('#')[0]?.trim() ?? '');

	expect(commands.filter(Boolean)).toHaveLength(4);
	expect(asked).toEqual(expect.arrayContaining(commands.filter(Boolean)));
});
