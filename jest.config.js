const swc = (syntax) => [
	'@swc/jest',
	{
		jsc: { parser: { syntax, decorators: syntax === 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	},
];

/** n8n loads its expression engine with `import()`, which jest only offers to files it has compiled itself. */
const EXPRESSION_ENGINE_LOADER = 'n8n-workflow/dist/cjs/expression\\.js$';

/** Packages of harness/ that are ES modules only, with those that they stand on. */
const ES_MODULES = [
	...[
		'execa',
		'@sindresorhus/merge-streams',
		'figures',
		'get-stream',
		'@sec-ant/readable-stream',
		'human-signals',
	],
	...[
		'is-plain-obj',
		'is-stream',
		'is-unicode-supported',
		'npm-run-path',
		'parse-ms',
		'path-key',
		'pretty-ms',
	],
	...['signal-exit', 'strip-final-newline', 'unicorn-magic', 'yoctocolors'],
	...['get-port', 'p-wait-for', 'p-timeout'],
];
const COMPILED = [EXPRESSION_ENGINE_LOADER, ...ES_MODULES.map((name) => `${name}/`)].join('|');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.tsx?$': swc('typescript'),
		[`/node_modules/(${COMPILED}).*\\.js$|${EXPRESSION_ENGINE_LOADER}`]: swc('ecmascript'),
	},
	transformIgnorePatterns: [`/node_modules/(?!${COMPILED})`],
	testTimeout: 60_000,
};
