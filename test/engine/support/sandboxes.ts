import { type Sandbox, startSandbox } from '../../../harness/sandbox.ts';

declare global {
	var engineTestSandboxes: Sandbox[];
}

/** Starts a sandbox for each of jest's workers, before they start: they find what it says of itself in their environment. */
export async function startSandboxes({ maxWorkers }: { maxWorkers: number }): Promise<void> {
	const start = async () => await startSandbox({ control: true });
	globalThis.engineTestSandboxes = await Promise.all(Array.from({ length: maxWorkers }, start));
	process.env.ENGINE_TEST_SANDBOXES = JSON.stringify(globalThis.engineTestSandboxes.map(({ info }) => info));
}

/** Stops what {@link startSandboxes} started. */
export async function stopSandboxes(): Promise<void> {
	await Promise.all(globalThis.engineTestSandboxes.map(async (sandbox) => await sandbox.stop()));
}
