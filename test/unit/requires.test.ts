import { globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { ModuleKind, preProcessFile, transpileModule } from 'typescript';
import { readResults } from '../../compat/results.ts';
import { root } from '../support/packageSources';

const compilerOptions = { module: ModuleKind.CommonJS };

/** What the compiled sources ask for from outside of the package, types left out. */
const required = [
	...new Set(
		globSync('{credentials,nodes}/**/*.ts', { cwd: root }).flatMap((file) => {
			const { outputText } = transpileModule(readFileSync(join(root, file), 'utf8'), { compilerOptions });
			const { importedFiles } = preProcessFile(outputText, true, true);
			return importedFiles.map(({ fileName }) => fileName).filter((name) => !name.startsWith('.'));
		}),
	),
];
const others = required.filter((name) => !builtinModules.includes(name.replace(/^node:/, '')));

const packageOf = (name: string) =>
	name
		.split('/')
		.slice(0, name.startsWith('@') ? 2 : 1)
		.join('/');

describe('what the package asks for', () => {
	it('is n8n-workflow, lodash, luxon and what Node.js brings', () => {
		expect([...new Set(others.map(packageOf))].sort()).toEqual(['lodash', 'luxon', 'n8n-workflow']);
	});

	it.each(readResults())('is there in n8n $n8n, which depends on it directly', ({ dependencies }) => {
		expect(others.filter((name) => !dependencies.includes(packageOf(name)))).toEqual([]);
	});
});
