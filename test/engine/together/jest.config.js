const each = require('../jest.config.js');

/** All files of the engine at once, for `npm test`; `../jest.config.js` runs single ones. */
module.exports = { ...each, rootDir: '../../..', testMatch: ['<rootDir>/test/engine/together/part*.ts'] };
