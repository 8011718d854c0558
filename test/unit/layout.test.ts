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
	const walk = page.split("## A newcomer's walk\n")[1]?.split('\n## ')[0] ?? '';
	const steps = walk.split(/^\d+\. /m).slice(1);
	const LEVELS = [
		/^(credentials|nodes\/Hospitality\w+)\//,
		/^nodes\/shared\/operation\//,
		/^nodes\/shared\/booking\//,
		/^nodes\/shared\/auth\//,
		/^nodes\/shared\/http\//,
	];

	const filesIn = (text: string) => [...text.matchAll(/`([^`]+\.ts)`/g)].map(([, file]) => file ?? '');

	test('names files that exist, none of them higher than the one before', () => {
		const passed = steps.flatMap((step) => filesIn(step.replace(/\([^)]*\)/g, '')));
		const levels = passed.map((file) => LEVELS.findIndex((level) => level.test(file)));

		expect(passed.length).toBeGreaterThan(3);
		expect(filesIn(walk).filter((file) => !existsSync(join(root, file)))).toEqual([]);
		expect(levels).not.toContain(-1);
		expect(levels).toEqual([...levels].sort((one, other) => one - other));
	});

	test('goes from each file to one that it imports', () => {
		const [first = [], ...rest] = steps.map(filesIn);
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
