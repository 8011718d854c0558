import { startSandbox } from '../../../dev/sandbox.ts';

/** Starts a sandbox for each of jest's workers, before they start: they find what it says of itself in their environment. */
async function startSandboxes({ maxWorkers }: { maxWorkers: number }): Promise<void> {
	const start = async () => (await startSandbox({ control: true })).info;
	const infos = await Promise.all(Array.from({ length: maxWorkers }, start));
	process.env.ENGINE_TEST_SANDBOXES = JSON.stringify(infos);
}

export = startSandboxes;
