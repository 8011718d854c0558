import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type N8n, type N8nOptions, startN8n } from '../../../dev/n8n.ts';
import type { N8nClient } from '../../../dev/n8nClient.ts';
import { buildPackage } from '../../../dev/package.ts';
import { OWNER, chosenN8n } from '../../e2e/support/stack';

/** The settings with which n8n stores a trigger's state and the execution it starts in one transaction. */
export const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

interface Options extends Pick<N8nOptions, 'env'> {
	/** A module that n8n loads before anything else; `EXCHANGE_FILE` names the file that it shares with the test. */
	preload?: string;
}

/** Real n8n with the package and a person signed in; its folder goes with it. */
export class OwnN8n {
	private readonly folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-n8n-'));
	readonly exchangeFile = join(this.folder, 'exchange');
	private running!: N8n;

	private constructor(private readonly env: Record<string, string>) {}

	static async start({ env = {}, preload }: Options = {}): Promise<OwnN8n> {
		const n8n = new OwnN8n({ ...env });
		if (preload !== undefined) {
			n8n.env.NODE_OPTIONS = `${env.NODE_OPTIONS ?? ''} --import ${pathToFileURL(preload).href}`;
			n8n.env.EXCHANGE_FILE = n8n.exchangeFile;
		}
		n8n.running = await n8n.startProcess({ tarball: await buildPackage() });
		return n8n;
	}

	private async startProcess(options: Partial<N8nOptions>): Promise<N8n> {
		const started = await startN8n({
			n8n: chosenN8n(),
			home: join(this.folder, 'home'),
			logFile: join(this.folder, 'n8n.log'),
			env: this.env,
			...options,
		});
		await started.client.signIn(OWNER);
		return started;
	}

	get client(): N8nClient {
		return this.running.client;
	}

	/** Whether it ended by itself. */
	get hasFailed(): boolean {
		return this.running.child.failed;
	}

	/**
	 * Asks n8n to end, as whatever runs it does, kills what is left of it, and starts it again at the same address.
	 *
	 * @param untilKilled what happens from the first to the second
	 * @param env more environment variables for the n8n that starts
	 */
	async stopAndRestart(
		untilKilled: () => Promise<void>,
		env: Record<string, string>,
	): Promise<void> {
		const { child, url } = this.running;
		const stopped = child.stop();
		await untilKilled();
		await child.kill();
		await stopped;
		Object.assign(this.env, env);
		this.running = await this.startProcess({ port: Number(new URL(url).port) });
	}

	/** Ends n8n, as `kill -9` does, and starts it again at the same address. */
	async killAndRestart(whileDown: () => Promise<void>): Promise<void> {
		const port = Number(new URL(this.running.url).port);
		await this.running.child.kill();
		await whileDown();
		this.running = await this.startProcess({ port });
	}

	async stop(): Promise<void> {
		await this.running.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}
}
