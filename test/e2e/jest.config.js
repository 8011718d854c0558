const shared = require('../../jest.config.js');

/** One sandbox and one n8n with the package installed serve all files; they run one after the other. Also for browser and pictures. */
module.exports = {
	...shared,
	rootDir: '../..',
	globalSetup: '<rootDir>/test/e2e/support/setUp.ts',
	globalTeardown: '<rootDir>/test/e2e/support/tearDown.ts',
	maxWorkers: 1,
	testTimeout: 240_000,
};
