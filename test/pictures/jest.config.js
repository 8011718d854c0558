const e2e = require('../e2e/jest.config.js');

/** Takes the pictures of the pages: no test of anything, and not part of `npm test`. */
module.exports = { ...e2e, roots: ['<rootDir>/test/pictures'], testTimeout: 240_000 };
