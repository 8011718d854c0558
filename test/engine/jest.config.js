const shared = require('../../jest.config.js');

/** All of the engine's tests, in a few groups; `jest test/engine/department` runs single files. */
module.exports = {
	...shared,
	rootDir: '../..',
	roots: ['<rootDir>/test/engine'],
	testMatch: ['**/groups/*.group.ts'],
	// Their tests wait for most of their time.
	maxWorkers: 4,
};
