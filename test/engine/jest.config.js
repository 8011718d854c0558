const shared = require('../../jest.config.js');

/** One sandbox for each worker, started once: what a test changes in it, the next one resets. */
module.exports = {
	...shared,
	rootDir: '../..',
	roots: ['<rootDir>/test/engine'],
	globalSetup: '<rootDir>/test/engine/support/setUp.ts',
	globalTeardown: '<rootDir>/test/engine/support/tearDown.ts',
	// Many tests wait for a response or a pause.
	maxWorkers: 3,
};
