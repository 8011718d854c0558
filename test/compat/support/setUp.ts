import { startStack } from '../../e2e/support/lifecycle.ts';
import startSandboxes from '../../engine/support/setUp.ts';

/**
 * One n8n for all workers, and for each of them a sandbox of its own. No behavior depends on which copy of n8n-workflow is
 * loaded: the newest stands beside the package, as after a plain `npm install`, whatever version n8n has.
 */
async function setUp(config: { maxWorkers: number }): Promise<void> {
	await Promise.all([startStack(true), startSandboxes(config)]);
}

module.exports = setUp;
