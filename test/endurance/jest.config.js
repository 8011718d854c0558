const shared = require('../../jest.config.js');

/** Minutes, not seconds: each test starts n8n itself, to be able to kill it. */
module.exports = {
	...shared,
	rootDir: '../..',
	roots: ['<rootDir>/test/endurance'],
	maxWorkers: 1,
	testTimeout: 1_800_000,
};
