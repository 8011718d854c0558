import { chromiumPath } from './browser';
import { stopStack } from '../../e2e/support/lifecycle.ts';

module.exports = async (): Promise<void> => {
	if (chromiumPath() !== undefined) await stopStack();
};
