import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { preProcessFile } from 'typescript';
import { readResults } from '../../compat/results.ts';
import { buildPackage } from '../../harness/package.ts';
import { projectRoot } from '../../harness/paths.ts';

/** What the built files ask for from outside of the package, as the package's name. */
function required(): string[] {
	const dist = join(projectRoot(), 'dist');
	const names = globSync('**/*.js', { cwd: dist }).flatMap((file) => {
		const { importedFiles } = preProcessFile(readFileSync(join(dist, file), 'utf8'), true, true);
		return importedFiles.map(({ fileName }) => fileName).filter((name) => !name.startsWith('.'));
	});
	return [...new Set(names)].sort();
}

const packageOf = (name: string) =>
	name
		.split('/')
		.slice(0, name.startsWith('@') ? 2 : 1)
		.join('/');

describe('what the built package asks for', () => {
	beforeAll(async () => {
		await buildPackage();
	});

	it('is n8n-workflow, lodash, luxon and what Node.js brings', () => {
		const others = required().filter((name) => !builtinModules.includes(name.replace(/^node:/, '')));
		expect(required()).toContain('n8n-workflow');
		expect([...new Set(others.map(packageOf))].sort()).toEqual(['lodash', 'luxon', 'n8n-workflow']);
	});

	it.each(readResults())('is there in n8n $n8n, which depends on it directly', ({ dependencies }) => {
		const missing = required().filter(
			(name) =>
				!builtinModules.includes(name.replace(/^node:/, '')) && !dependencies.includes(packageOf(name)),
		);
		expect(missing).toEqual([]);
	});
});
