const shared = require('../../jest.config.js');

/** One sandbox and one n8n with the package installed serve all files; they run one after the other. */
module.exports = {
	...shared,
	rootDir: '../..',
	roots: ['<rootDir>/test/e2e'],
	globalSetup: '<rootDir>/test/e2e/support/setUp.ts',
	globalTeardown: '<rootDir>/test/e2e/support/tearDown.ts',
	maxWorkers: 1,
	testTimeout: 180_000,
};
