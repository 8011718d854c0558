const shared = require('../../jest.config.js');

/** The tests of logic that need no service: those that StrykerJS runs for each mutant. */
module.exports = {
	...shared,
	rootDir: '../..',
	roots: ['<rootDir>/test/unit'],
	testMatch: [
		'**/test/unit/(shared|trigger|HospitalityBooking)/**/*.test.ts',
		'**/test/unit/requests.test.ts',
	],
	// Whose calls take their own time.
	testPathIgnorePatterns: ['/(client|response|callQueue|startInTurn)\\.test\\.ts$'],
};
