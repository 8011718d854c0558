const e2e = require('../e2e/jest.config.js');

/** As the end-to-end tests, with a real browser. */
module.exports = {
	...e2e,
	roots: ['<rootDir>/test/browser'],
	testTimeout: 240_000,
};
