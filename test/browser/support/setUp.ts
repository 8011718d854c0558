import { chromiumPath } from './browser';
import { startStack } from '../../e2e/support/lifecycle.ts';

/** Starts n8n with the package and the sandbox, where there is a browser to look at it with. */
module.exports = async (): Promise<void> => {
	if (chromiumPath() !== undefined) return await startStack();
	process.stdout.write(
		'\nSKIPPED: there is no Chromium here (apt-get install chromium, or set CHROMIUM_PATH).\n',
	);
};
