const { resolve } = require('node:path');

const { maxWorkers, ...each } = require('../jest.config.js');

const rootDir = resolve(__dirname, '../../..');
const testMatch = ['<rootDir>/test/engine/together/together.ts'];

/** All files of the engine at once, for `npm test`, in a part for each worker; `../jest.config.js` runs single ones. */
module.exports = {
	maxWorkers,
	projects: [0, 1, 2].map((PART) => ({ ...each, rootDir, testMatch, globals: { PART, PARTS: 3 } })),
};
