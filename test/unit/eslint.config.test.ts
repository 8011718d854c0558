import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import mapValues from 'lodash/mapValues';
import { root } from '../support/packageSources';

interface Result {
	filePath: string;
	messages: Array<{ ruleId: string; line: number; message: string }>;
}

/** Lints a project that holds nothing but these files, with this project's configuration. @returns what is found, by file */
function lint(files: Record<string, string>): Record<string, Result['messages']> {
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
				messages,
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
	const found = lint({
		'nodes/shared/values/circle.ts': importing('other', './other') + using('circle', 'other'),
		'nodes/shared/values/other.ts':
			"import type { circle } from './circle';\nexport const other = (): ReturnType<typeof circle> => 1;\n",
		'nodes/shared/values/upward.ts': importing('send', '../http/send') + using('upward', 'send'),
		'nodes/shared/http/send.ts': importing('plain', '../values/plain') + using('send', 'plain'),
		'nodes/shared/values/plain.ts': plain('plain'),
		'nodes/HospitalityBooking/form.ts': plain('form'),
		'nodes/HospitalityPayment/across.ts':
			importing('form', '../HospitalityBooking/form') + using('across', 'form'),
	});
	expect(
		mapValues(found, (messages) =>
			messages.map(({ ruleId }) => ruleId).filter((rule) => /^(import-x|house)\//.test(rule)),
		),
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

describe('what reviewers reject', () => {
	const refused = [
		'await context.helpers.request(options);',
		"await this.helpers['requestOAuth2'](options);",
		'const { copyBinaryFile } = context.helpers;',
		'const { requestOAuth1 } = helpers;',
		'const { helpers: { prepareOutputData: send } } = context;',
		"throw new Error('no');",
		"throw new n8n.ApplicationError('no');",
		"throw TypeError('no');",
		"throw 'no';",
		"throw { message: 'no' };",
		"return Promise.reject(new RangeError('no'));",
		'try { f(); } catch (error) { throw error; }',
		'try { f(); } catch { throw new OwnError(); }',
	];
	const allowed = [
		"throw new NodeOperationError(this.getNode(), 'no');",
		'try { f(); } catch (error) { throw new NodeApiError(this.getNode(), error); }',
		'throw toNodeError(place, reason);',
		"const { request } = entry; throw new InvalidValueError('Name', 'is empty', 'Fill it in');",
		'await this.helpers.httpRequest(options);',
	];
	const needed = ['const { request } = helpers;', 'context.helpers.requestWithAuthentication.call(options);'];
	const inFunctions = (lines: string[]) => lines.map((line) => `async () => { ${line} };`).join('\n');
	const rules = ['no-restricted-syntax', '@n8n/community-nodes/require-node-api-error'];

	test('is refused, but for the two helpers that docs/verification.md gives reasons for, in their one file', () => {
		const found = lint({
			'nodes/refused.ts': inFunctions([...refused, ...needed]),
			'nodes/allowed.ts': inFunctions(allowed),
			'nodes/shared/http/helpers.ts': inFunctions([...needed, ...refused.slice(1)]),
		});
		const lines = mapValues(found, (messages) =>
			messages.filter(({ ruleId }) => rules.includes(ruleId)).map(({ line }) => line),
		);
		const from = (first: number, last: number) =>
			Array.from({ length: last - first + 1 }, (_, index) => first + index);
		expect(lines).toEqual({
			'nodes/refused.ts': from(1, refused.length + needed.length),
			'nodes/allowed.ts': [],
			'nodes/shared/http/helpers.ts': from(needed.length + 1, needed.length + refused.length - 1),
		});
	});
});
