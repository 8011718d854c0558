const shared = require('../../jest.config.js');

/** Minutes, not seconds: each file starts n8n in queue mode, with workers, PostgreSQL and Redis. */
module.exports = {
	...shared,
	rootDir: '../..',
	roots: ['<rootDir>/test/scale'],
	maxWorkers: 1,
	testTimeout: 1_800_000,
};
