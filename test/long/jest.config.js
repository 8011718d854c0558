const e2e = require('../e2e/jest.config.js');

/** As the end-to-end tests; what these prove, cheaper tests prove as well. Each file starts the n8n that it needs. */
module.exports = {
	...e2e,
	roots: ['<rootDir>/test/long'],
	globalSetup: undefined,
	globalTeardown: undefined,
};
