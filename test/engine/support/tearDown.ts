import { stopAll } from '../../../dev/children.ts';

module.exports = stopAll;
