import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
		/^nodes\/shared\/auth\//,
		/^nodes\/shared\/http\//,
	];

	const filesIn = (text: string) => [...text.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file ?? '');
	const stepsOf = (title: string) =>
		walkOf(title)
			.split(/^\d+\. /m)
			.slice(1);

	const titles = ["'Changed After'", "An article's ID", 'A token'];

	test.each(titles)('of %s names files that exist, none of them higher than the one before', (title) => {
		const steps = stepsOf(title).flatMap((step) =>
			filesIn((step.split('\n\n')[0] ?? '').replace(/\([^)]*\)/g, '')),
		);
		const levels = steps.map((file) => LEVELS.findIndex((level) => level.test(file)));

		expect(steps.length).toBeGreaterThan(3);
		expect(filesIn(walkOf(title)).filter((file) => !existsSync(join(root, file)))).toEqual([]);
		expect(levels).not.toContain(-1);
		expect(levels).toEqual([...levels].sort((one, other) => one - other));
	});

	test.each(titles)('of %s goes from each file to one that it imports', (title) => {
		const [first = [], ...rest] = stepsOf(title).map(filesIn);
		const named = [...first];
		const strays = rest.flat().filter((file) => {
			const isImported = named.some((earlier) => importsOf(earlier).includes(file));
			named.push(file);
			return !isImported;
		});

		expect(strays).toEqual([]);
	});
});

/** The files of the project that a file uses, those of which it takes types only left out. */
function importsOf(file: string): string[] {
	const source = readFileSync(join(root, file), 'utf8');
	return [...source.matchAll(/^import (?!type )\{?([^;]+?)\}? from '(\.[^']+)';/gm)]
		.filter(([, names = '']) => names.split(',').some((name) => /^\s*(?!type )\w/.test(name)))
		.map(([, , path = '']) => join(dirname(file), `${path}.ts`));
}
