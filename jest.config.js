const { availableParallelism } = require('node:os');

const swc = (syntax) => [
	'@swc/jest',
	{
		jsc: { parser: { syntax, decorators: syntax === 'typescript' }, target: 'es2022' },
		module: { type: 'commonjs' },
	},
];

/** n8n loads its expression engines with `import()`, which jest only offers to files it has compiled itself. */
const EXPRESSION_ENGINE_LOADER =
	'(n8n-workflow/dist/cjs/expression|@n8n/expression-runtime/dist/cjs/bridge/quickjs-bridge|(quickjs-emscripten|@jitl)/.+)\\.js$';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.tsx?$': swc('typescript'),
		[`/node_modules/${EXPRESSION_ENGINE_LOADER}`]: swc('ecmascript'),
	},
	transformIgnorePatterns: [`/node_modules/(?!${EXPRESSION_ENGINE_LOADER})`],
	testTimeout: 60_000,
	// Left to itself jest runs one file after the other on two cores; many tests wait for a response or a pause.
	maxWorkers: Math.max(3, availableParallelism() - 1),
};
