/** Stops what `startSandboxes` started. */
async function stopSandboxes(): Promise<void> {
	await Promise.all(globalThis.engineTestSandboxes.map(async (sandbox) => await sandbox.stop()));
}

module.exports = stopSandboxes;
