import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../sandbox/support/contract';
import { root } from '../support/packageSources';

test('every operation of the contract has its test at test/engine/<resource>/<operation>.test.ts', () => {
	const expected = operations
		.filter(({ service }) => service !== 'auth')
		.map(({ id }) => `${id.replace('.', '/')}.test.ts`);
	const resources = [...new Set(expected.map((path) => path.split('/')[0] ?? ''))];
	const found = resources.flatMap((resource) =>
		readdirSync(join(root, 'test/engine', resource)).map((name) => `${resource}/${name}`),
	);

	expect(expected.length).toBeGreaterThan(0);
	expect(found.sort()).toEqual(expected.sort());
});

describe("the newcomer's walk in docs/architecture.md", () => {
	const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
	const walks = page.split("## A newcomer's walk\n")[1]?.split('\n## ')[0] ?? '';
	const walkOf = (title: string) => walks.split('\n**').find((walk) => walk.startsWith(title)) ?? '';
	const LEVELS = [
		/^(credentials|nodes\/Hospitality\w+)\//,
		/^nodes\/shared\/operation\//,
		/^nodes\/shared\/booking\//,
		/^nodes\/shared\/http\//,
		/^nodes\/shared\/auth\//,
	];

	test.each(["'Changed After'", "An article's ID", 'A token'])(
		'of %s names files that exist, none of them higher than the one before',
		(title) => {
			const steps = walkOf(title)
				.replace(/\([^)]*\)/g, '')
				.split(/^\d+\. /m)
				.slice(1)
				.flatMap((step) =>
					[...(step.split('\n\n')[0] ?? '').matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file ?? ''),
				);
			const all = [...walkOf(title).matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file ?? '');
			const levels = steps.map((file) => LEVELS.findIndex((level) => level.test(file)));

			expect(steps.length).toBeGreaterThan(3);
			expect(all.filter((file) => !existsSync(join(root, file)))).toEqual([]);
			expect(levels).not.toContain(-1);
			expect(levels).toEqual([...levels].sort((one, other) => one - other));
		},
	);
});
