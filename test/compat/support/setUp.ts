import type { Config } from '@jest/types';
import { startStack } from '../../e2e/support/lifecycle.ts';
import { startSandboxes } from '../../engine/support/sandboxes.ts';

/** One n8n for all workers, and for each of them a sandbox of its own. */
async function setUp(config: Config.GlobalConfig): Promise<void> {
	await Promise.all([startStack(), startSandboxes(config)]);
}

module.exports = setUp;
