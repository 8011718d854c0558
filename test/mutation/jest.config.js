const shared = require('../../jest.config.js');

/** The tests of logic that need no service: those that StrykerJS runs for each mutant. */
module.exports = { ...shared, rootDir: '../..', testMatch: ['<rootDir>/test/mutation/all.ts'] };
