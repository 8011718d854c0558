import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../support/packageSources';

interface Result {
	filePath: string;
	messages: Array<{ ruleId: string; message: string }>;
}

/**
 * Lints a project that holds nothing but these files, with this project's configuration.
 *
 * @returns what ESLint reports about imports, by file
 */
function lint(files: Record<string, string>): Record<string, string[]> {
	const folder = mkdtempSync(join(tmpdir(), 'layers-'));
	try {
		cpSync(join(root, 'eslint.config.mjs'), join(folder, 'eslint.config.mjs'));
		symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
		const options = { compilerOptions: { strict: true }, include: ['nodes'] };
		for (const name of ['tsconfig.json', 'tsconfig.tools.json'])
			writeFileSync(join(folder, name), JSON.stringify(options));
		for (const [path, text] of Object.entries(files)) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		}
		const { stdout, stderr } = spawnSync(
			process.execPath,
			[join(root, 'node_modules/eslint/bin/eslint.js'), '--format', 'json', 'nodes'],
			{ cwd: folder, encoding: 'utf8' },
		);
		if (stdout === '') throw new Error(stderr);
		return Object.fromEntries(
			(JSON.parse(stdout) as Result[]).map(({ filePath, messages }) => [
				Object.keys(files).find((path) => filePath.endsWith(join(path))) ?? filePath,
				messages.map(({ ruleId }) => ruleId).filter((rule) => /^(import-x|house)\//.test(rule ?? '')),
			]),
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const importing = (name: string, from: string) => `import { ${name} } from '${from}';\n`;
const using = (name: string, used: string) => `export const ${name} = (): number => ${used}();\n`;
const plain = (name: string) => `export const ${name} = (): number => 1;\n`;

test('refuses a circle of imports, an import from a layer above and one from another node', () => {
	expect(
		lint({
			'nodes/shared/values/circle.ts': importing('other', './other') + using('circle', 'other'),
			'nodes/shared/values/other.ts':
				"import type { circle } from './circle';\nexport const other = (): ReturnType<typeof circle> => 1;\n",
			'nodes/shared/values/upward.ts': importing('send', '../http/send') + using('upward', 'send'),
			'nodes/shared/http/send.ts': importing('plain', '../values/plain') + using('send', 'plain'),
			'nodes/shared/values/plain.ts': plain('plain'),
			'nodes/HospitalityBooking/form.ts': plain('form'),
			'nodes/HospitalityPayment/across.ts':
				importing('form', '../HospitalityBooking/form') + using('across', 'form'),
		}),
	).toEqual({
		'nodes/shared/values/circle.ts': ['house/no-circle'],
		'nodes/shared/values/other.ts': ['house/no-circle'],
		'nodes/shared/values/upward.ts': ['import-x/no-restricted-paths'],
		'nodes/shared/http/send.ts': [],
		'nodes/shared/values/plain.ts': [],
		'nodes/HospitalityBooking/form.ts': [],
		'nodes/HospitalityPayment/across.ts': ['import-x/no-restricted-paths'],
	});
});
