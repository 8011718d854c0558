import { stopStack } from './lifecycle.ts';

module.exports = stopStack;
