import { callControl } from '../../../harness/sandbox.ts';
import { foundStack } from '../../e2e/support/stack';
import type { SandboxInfo, StartedSandbox } from '../../support/sandbox.ts';

export { paymentCredential } from '../../support/sandbox.ts';
export type { SandboxInfo, StartedSandbox };

/** In place of one sandbox a file: the one that runs already; each test begins by seeding it anew. */
export function startSandbox(): Promise<StartedSandbox> {
	const { sandbox } = foundStack();
	return Promise.resolve({
		info: sandbox as SandboxInfo,
		pid: 0,
		stderr: () => '',
		control: async <T>(method: string, path: string, body?: unknown) =>
			(await callControl(sandbox, method, path.replace(/^\//, ''), body)) as T,
		stop: () => Promise.resolve(null),
	});
}
