import { startStack } from './lifecycle.ts';

module.exports = async () => await startStack();
