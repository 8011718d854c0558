import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import js from '@eslint/js';
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import n8nNodesBase from 'eslint-plugin-n8n-nodes-base';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { TypeFlags } from 'typescript';

const nodeFolders = ['HospitalityBooking', 'HospitalityBookingTrigger', 'HospitalityPayment'];
const packageSources = ['nodes/**/*.ts', 'credentials/**/*.ts'];
const toolSources = [
	'contract/**/*.ts',
	'sandbox/**/*.ts',
	'dev/**/*.ts',
	'bench/**/*.ts',
	'scripts/**/*.ts',
];
const testSources = ['test/**/*.ts'];
const plainScripts = ['*.js', '*.mjs', 'scripts/**/*.mjs'];

/** The rules n8n's own verification scan applies, on the files it applies them to (`npm run verify` runs the scan itself). */
const n8nRules = tseslint.config(
	{
		...n8nCommunityNodesPlugin.configs.recommended,
		ignores: [],
		files: ['package.json', ...packageSources],
	},
	{ files: ['package.json', ...packageSources], plugins: { 'n8n-nodes-base': n8nNodesBase } },
	{
		files: ['package.json'],
		rules: n8nNodesBase.configs.community.rules,
		languageOptions: { parser: tseslint.parser },
	},
	{
		files: ['credentials/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.credentials.rules,
			// The scan leaves these two out as well: they only hold for n8n's own credentials.
			'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
			'n8n-nodes-base/cred-class-field-type-options-password-missing': 'off',
		},
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...n8nNodesBase.configs.nodes.rules,
			// The scan leaves these three out as well.
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
			'n8n-nodes-base/node-param-type-options-max-value-present': 'off',
		},
	},
);

const deprecatedHelpers = [
	'request',
	'requestWithAuthentication',
	'requestWithAuthenticationPaginated',
	'requestOAuth1',
	'requestOAuth2',
	'copyBinaryFile',
	'prepareOutputData',
];
/** Those that have to stay, in one file; docs/verification.md gives reviewers the reasons. */
const neededHelpers = ['request', 'requestWithAuthentication'];

/** Literals that are spread, or taken apart, only to stand on one line. */
const lineGolf = [
	{
		selector:
			':matches(ObjectExpression, ArrayExpression) > SpreadElement > :matches(ObjectExpression, ArrayExpression)',
		message: 'Write the properties of this literal where it is spread.',
	},
	{
		selector:
			':matches(VariableDeclarator[id.type="ArrayPattern"][init.type="ArrayExpression"], AssignmentExpression[left.type="ArrayPattern"][right.type="ArrayExpression"])',
		message: 'Declare or assign each of them on its own.',
	},
];

/** What an engineer can read at sight. */
const readableRules = tseslint.config({
	files: packageSources,
	rules: {
		'max-lines-per-function': [
			'error',
			{ max: 40, skipBlankLines: true, skipComments: true, IIFEs: true },
		],
		'@typescript-eslint/max-params': ['error', { max: 4 }],
		'no-nested-ternary': 'error',
	},
});

/**
 * What n8n's reviewers reject and its rules do not find: raw errors outside of a catch clause, helpers not taken from `this`. And a
 * list without a bound given as arguments.
 */
function reviewerRules(helpers, { makesErrors = false } = {}) {
	const helper = `/^(${helpers.join('|')})$/`;
	const rawError = '/^(Aggregate|Application|Eval|Range|Reference|Syntax|Type|URI)?Error$/';
	const thrown = `:matches([callee.name=${rawError}], [callee.property.name=${rawError}], Literal, TemplateLiteral, ObjectExpression)`;
	const restrict = (message) => (selector) => ({ selector, message });
	return {
		'no-restricted-syntax': [
			'error',
			...[
				`ThrowStatement > ${thrown}`,
				`CallExpression[callee.object.name="Promise"][callee.property.name="reject"] > ${thrown}`,
			].map(restrict('Throw an error of n8n instead.')),
			...['NewExpression[callee.name=/^Node(Api|Operation)Error$/]']
				.filter(() => !makesErrors)
				.map(
					restrict(
						'Errors are made in errors/nodeErrors.ts, of a SafeText: n8n shows a message as HTML.',
					),
				),
			...[
				`MemberExpression:matches([object.name="helpers"], [object.property.name="helpers"]):matches([property.name=${helper}], [property.value=${helper}])`,
				`VariableDeclarator:matches([init.name="helpers"], [init.property.name="helpers"]) > ObjectPattern > Property[key.name=${helper}]`,
				`Property[key.name="helpers"] > ObjectPattern > Property[key.name=${helper}]`,
			].map(restrict('n8n has deprecated this helper.')),
			restrict('The stack holds some 120,000 arguments, a response more records.')(
				'CallExpression[callee.property.name=/^(push|min|max)$/] > SpreadElement',
			),
			...lineGolf,
		],
	};
}

/** The files that a file imports, types included: import-x/no-cycle leaves those out. */
const imports = new Map();
function importsOf(file) {
	const known = imports.get(file);
	if (known) return known;
	const paths = [...readFileSync(file, 'utf8').matchAll(/(?:from|import) '(\.[^']+)'/g)];
	const found = paths.flatMap(([, path]) => {
		const target = join(dirname(file), path);
		return [target, `${target}.ts`, join(target, 'index.ts')].filter(
			(one) => /\.ts$/.test(one) && existsSync(one),
		);
	});
	imports.set(file, found);
	return found;
}

/** The way from a file back to itself, by what each file imports; empty where there is none. */
function circleOf(file) {
	const reached = new Map();
	const waiting = [file];
	for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
		for (const target of importsOf(from)) {
			if (reached.has(target)) continue;
			reached.set(target, from);
			waiting.push(target);
		}
	}
	if (!reached.has(file)) return [];
	const way = [file];
	for (let from = reached.get(file); from !== file; from = reached.get(from)) way.unshift(from);
	return [file, ...way];
}

const noCircle = {
	create: (context) => ({
		Program(node) {
			const circle = circleOf(context.filename).map((file) => file.slice(context.cwd.length + 1));
			if (circle.length > 0)
				context.report({ node, message: `These files import each other: ${circle.join(' → ')}` });
		},
	}),
};

/** What every TypeScript file of the project keeps to. */
const typeScriptRules = tseslint.config({
	files: [...packageSources, ...toolSources, ...testSources],
	extends: [js.configs.recommended, ...tseslint.configs.strict],
	plugins: { 'import-x': importX, house: { rules: { 'no-circle': noCircle } } },
	languageOptions: {
		parserOptions: {
			project: ['./tsconfig.json', './tsconfig.tools.json'],
			tsconfigRootDir: import.meta.dirname,
		},
	},
	rules: {
		'@typescript-eslint/no-explicit-any': 'error',
		'@typescript-eslint/no-unused-vars': [
			'error',
			{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
		],
		'@typescript-eslint/consistent-type-imports': 'error',
		'@typescript-eslint/no-floating-promises': 'error',
		'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
		'@typescript-eslint/await-thenable': 'error',
		'@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
		'@typescript-eslint/switch-exhaustiveness-check': [
			'error',
			{ considerDefaultExhaustiveForUnions: true },
		],
		'import-x/no-default-export': 'error',
		'import-x/no-duplicates': 'error',
		'import-x/first': 'error',
		'house/no-circle': 'error',
		eqeqeq: 'error',
		curly: ['error', 'multi-line', 'consistent'],
		'no-self-compare': 'error',
		'@typescript-eslint/no-shadow': 'error',
		'no-console': 'error',
	},
});

/** Patterns meet texts from outside: none may backtrack further the longer the text is. */
const patternRules = {
	files: [...packageSources, 'sandbox/**/*.ts'],
	plugins: { regexp },
	rules: {
		'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
		'regexp/no-super-linear-move': ['error', { report: 'potential' }],
		'regexp/no-misleading-capturing-group': 'error',
		'regexp/optimal-quantifier-concatenation': 'error',
	},
};

const KEYED =
	'Use values/keys.ts: a key from outside may be so long that V8 cannot tell many apart.';

/** A Map or Set by texts, or by what may be one. */
const shortKeys = {
	create(context) {
		const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
		const checker = program.getTypeChecker();
		const isText = (type) => {
			if (type.isUnion()) return type.types.some(isText);
			return (type.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.String)) !== 0;
		};
		return {
			'NewExpression[callee.name=/^(Map|Set)$/]'(node) {
				const made = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
				const [key] = checker.getTypeArguments(made);
				if (key && isText(key)) context.report({ node, message: KEYED });
			},
		};
	},
};

/** Texts from outside are keys in one file only, which shortens them. */
const keyRules = {
	files: packageSources,
	ignores: ['nodes/shared/values/keys.ts'],
	plugins: { keys: { rules: { short: shortKeys } } },
	rules: {
		'keys/short': 'error',
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						regex:
							'^lodash/(uniq|uniqBy|uniqWith|sortedUniq|groupBy|keyBy|countBy|union|unionBy|difference|differenceBy|intersection|intersectionBy|without|xor)$',
						message: KEYED,
					},
				],
			},
		],
	},
};

/** `{ "toString": 1 }` from outside throws a TypeError when it is made a text: `values/asText.ts` does not. */
const textRules = {
	files: packageSources,
	ignores: ['nodes/shared/values/asText.ts'],
	rules: { '@typescript-eslint/no-base-to-string': ['error', { checkUnknown: true }] },
};

/** What Unicode algorithms do with a long text can take seconds: one file cuts first. */
const unicodeRules = {
	files: packageSources,
	ignores: ['nodes/shared/values/text.ts'],
	rules: {
		'no-restricted-properties': [
			'error',
			...['localeCompare', 'normalize', 'toLocaleLowerCase', 'toLocaleUpperCase', 'toLocaleString']
				.concat(['toLocaleDateString', 'toLocaleTimeString', 'Segmenter', 'Collator'])
				.map((property) => ({
					property,
					message: 'Use values/text.ts, which cuts the text first.',
				})),
		],
	},
};

/** Concerns of `nodes/shared/`, from the top of the house to the bottom. */
const layers = [
	'run',
	'operation',
	'form',
	'booking',
	'output',
	'auth',
	'http',
	'errors',
	'values',
];

/** Rooms of the trigger, from the top of the house to the bottom. */
const triggerLayers = ['poll', 'form', 'follow', 'state', 'events'];
const trigger = './nodes/HospitalityBookingTrigger';

/** Imports point downwards: never to a layer above, from the shared code to a node, or from one node to another. */
const layerRules = tseslint.config({
	files: packageSources,
	plugins: { 'import-x': importX },
	settings: {
		'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.d.ts'] })],
		// Without these two, imports of TypeScript files are not followed.
		'import-x/extensions': ['.ts', '.js'],
		'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
	},
	rules: {
		'import-x/no-restricted-paths': [
			'error',
			{
				zones: [
					...layers.map((layer, index) => ({
						target: `./nodes/shared/${layer}`,
						from: layers.slice(0, index).map((above) => `./nodes/shared/${above}`),
					})),
					...triggerLayers.map((layer, index) => ({
						target: `${trigger}/${layer}`,
						from: triggerLayers.slice(0, index).map((above) => `${trigger}/${above}`),
					})),
					{
						target: './nodes/shared',
						from: ['./credentials', ...nodeFolders.map((folder) => `./nodes/${folder}`)],
					},
					...nodeFolders.map((folder) => ({
						target: `./nodes/${folder}`,
						from: nodeFolders
							.filter((other) => other !== folder)
							.map((other) => `./nodes/${other}`),
					})),
				].filter(({ from }) => from.length > 0),
			},
		],
	},
});

export default tseslint.config(
	{
		ignores: ['dist/', 'coverage/', '**/node_modules/', '.cache/', '.tmp/'],
	},
	...n8nRules,
	...typeScriptRules,
	...layerRules,
	patternRules,
	unicodeRules,
	keyRules,
	textRules,
	...readableRules,
	{ files: packageSources, rules: reviewerRules(deprecatedHelpers) },
	{
		files: [...toolSources, ...testSources],
		rules: { 'no-restricted-syntax': ['error', ...lineGolf] },
	},
	{
		files: ['nodes/shared/errors/nodeErrors.ts'],
		rules: reviewerRules(deprecatedHelpers, { makesErrors: true }),
	},
	{
		files: ['nodes/shared/http/helpers.ts'],
		rules: reviewerRules(deprecatedHelpers.filter((name) => !neededHelpers.includes(name))),
	},
	{
		files: toolSources,
		// Command line tools: what they print is what they are for.
		rules: { 'no-console': 'off' },
	},
	{
		files: [...plainScripts],
		...js.configs.recommended,
		languageOptions: {
			globals: {
				process: 'readonly',
				console: 'readonly',
				require: 'readonly',
				module: 'writable',
				exports: 'writable',
				setInterval: 'readonly',
			},
		},
	},
	{ files: ['*.js'], languageOptions: { sourceType: 'commonjs' } },
);
