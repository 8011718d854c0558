const shared = require('../../jest.config.js');

/** The tests of logic that need no service: those that StrykerJS runs for each mutant. */
module.exports = {
	...shared,
	rootDir: '../..',
	roots: ['<rootDir>/test/unit'],
	testMatch: ['**/test/unit/(shared/values|shared/operation|shared/http|trigger)/**/*.test.ts'],
	// Whose calls take their own time.
	testPathIgnorePatterns: ['/(attempts|callQueue|startInTurn)\\.test\\.ts$'],
};
