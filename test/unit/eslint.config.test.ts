import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { root } from '../support/packageSources';

interface Result {
	filePath: string;
	messages: Array<{ ruleId: string; line: number; message: string }>;
}

/** Lints a project that holds nothing but these files, with this project's configuration. @returns what is found, by file */
function lint(files: Record<string, string>): Record<string, Result['messages']> {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'layers-')));
	const configs: Array<[name: string, text: string]> = [
		['tsconfig.json', JSON.stringify({ compilerOptions: { types: [] }, include: ['nodes'] })],
		['tsconfig.tools.json', JSON.stringify({ files: [] })],
	];
	try {
		cpSync(join(root, 'eslint.config.mjs'), join(folder, 'eslint.config.mjs'));
		symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
		for (const [path, text] of [...configs, ...Object.entries(files)]) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		}
		const args = [join(root, 'node_modules/eslint/bin/eslint.js'), '--format', 'json', 'nodes'];
		const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
		if (stdout === '') throw new Error(stderr);
		const results = JSON.parse(stdout) as Result[];
		return Object.fromEntries(
			results.map(({ filePath, messages }) => [relative(folder, filePath).replaceAll('\\', '/'), messages]),
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
}

const importing = (name: string, from: string) =>
	`import { ${name} } from '${from}';\nexport const own = (): number => ${name}();\n`;
const plain = (name: string) => `export const ${name} = (): number => 1;\n`;

const REFUSED = [
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
	"throw new NodeOperationError(this.getNode(), 'no');",
	'try { f(); } catch (error) { throw new NodeApiError(this.getNode(), error); }',
	'items.push(...records);',
	'return Math.min(0, ...times);',
];
const ALLOWED = [
	'throw toNodeError(place, reason);',
	"const { request } = entry; throw new InvalidValueError('Name', 'is empty', 'Fill it in');",
	'await this.helpers.httpRequest(options);',
	'items.push({ ...record });',
];
/** docs/verification.md gives the reasons. */
const NEEDED = ['const { request } = helpers;', 'context.helpers.requestWithAuthentication.call(options);'];
/** Each takes longer than the text is long. */
const BACKTRACKING = ['/(?:a+)+$/', '/a+b/', '/^\\d+\\.?\\d*$/', '/\\/+$/'];
const inFunctions = (lines: string[]) => lines.map((line) => `async () => { ${line} };`).join('\n');

const found = lint({
	'nodes/shared/values/circle.ts': importing('other', './other'),
	'nodes/shared/values/other.ts':
		"import type { own } from './circle';\nexport const other = (): ReturnType<typeof own> => 1;\n",
	'nodes/shared/values/upward.ts': importing('send', '../http/send'),
	'nodes/shared/http/send.ts': importing('plain', '../values/plain'),
	'nodes/shared/values/plain.ts': plain('plain'),
	'nodes/HospitalityBooking/form.ts': plain('form'),
	'nodes/HospitalityPayment/across.ts': importing('form', '../HospitalityBooking/form'),
	'nodes/refused.ts': inFunctions([...REFUSED, ...NEEDED]),
	'nodes/allowed.ts': inFunctions(ALLOWED),
	'nodes/patterns.ts': BACKTRACKING.map((pattern, at) => `export const p${at} = ${pattern};`).join('\n'),
	'nodes/shared/http/helpers.ts': inFunctions([...NEEDED, ...REFUSED.slice(1)]),
});

test.each([
	['nodes/shared/values/circle.ts', 'a circle of imports', 'house/no-circle'],
	['nodes/shared/values/other.ts', 'a circle of types', 'house/no-circle'],
	['nodes/shared/values/upward.ts', 'an import from a layer above', 'import-x/no-restricted-paths'],
	['nodes/HospitalityPayment/across.ts', 'an import from another node', 'import-x/no-restricted-paths'],
	['nodes/shared/http/send.ts', 'no import from a layer below', undefined],
])('refuses in %s %s', (file, _, rule) => {
	const rules = found[file]?.map(({ ruleId }) => ruleId).filter((one) => /^(import-x|house)\//.test(one));
	expect(rules).toEqual(rule === undefined ? [] : [rule]);
});

test('refuses each pattern that backtracks', () => {
	const lines = found['nodes/patterns.ts']?.filter(({ ruleId }) =>
		ruleId.startsWith('regexp/no-super-linear'),
	);
	expect([...new Set(lines?.map(({ line }) => line))]).toEqual(BACKTRACKING.map((_, index) => index + 1));
});

test.each([
	['nodes/refused.ts', REFUSED.length + NEEDED.length, 0],
	['nodes/allowed.ts', 0, 0],
	['nodes/shared/http/helpers.ts', REFUSED.length - 1, NEEDED.length],
])(
	'refuses what reviewers reject, but for the two helpers that are needed in their one file, and lists as arguments: %s',
	(file, count, after) => {
		const rules = ['no-restricted-syntax', '@n8n/community-nodes/require-node-api-error'];
		const lines = found[file]?.filter(({ ruleId }) => rules.includes(ruleId)).map(({ line }) => line);
		expect(lines).toEqual(Array.from({ length: count }, (_, index) => after + index + 1));
	},
);
