import { startStack } from './lifecycle.ts';

module.exports = startStack;
