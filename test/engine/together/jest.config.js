const { resolve } = require('node:path');

const { maxWorkers: _, testTimeout, ...shared } = require('../../../jest.config.js');

const rootDir = resolve(__dirname, '../../..');
const testMatch = ['<rootDir>/test/engine/together/together.ts'];

/** All files of the engine at once, for `npm test`, in a part for each worker: many tests wait for a response or a pause. */
module.exports = {
	maxWorkers: 3,
	testTimeout,
	projects: [0, 1, 2].map((PART) => ({ ...shared, rootDir, testMatch, globals: { PART, PARTS: 3 } })),
};
