import { readdirSync } from 'node:fs';
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
