const e2e = require('../e2e/jest.config.js');

/** As the end-to-end tests, with a real browser. */
module.exports = {
	...e2e,
	roots: ['<rootDir>/test/browser'],
	globalSetup: '<rootDir>/test/browser/support/setUp.ts',
	globalTeardown: '<rootDir>/test/browser/support/tearDown.ts',
	testTimeout: 240_000,
};
