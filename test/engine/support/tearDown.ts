import { stopAll } from '../../../harness/children.ts';

module.exports = stopAll;
