import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type N8n, startN8n } from '../../harness/n8n.ts';
import type { JsonObject, StoredCredential, StoredWorkflow } from '../../harness/n8nClient.ts';
import { buildPackage } from '../../harness/package.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../harness/sandbox.ts';
import { OWNER } from '../e2e/support/stack';
import { type Arrival, type ChangeRecorder, startChangeRecorder } from './changeRecorder';
import { DURABLE_CURSORS } from './endurance';
import { until } from './progress';
import { WEB_BOOKINGS, deliveringWorkflow } from './triggerWorkflows';

/** What n8n keeps of a trigger whose polls its scheduler makes. */
export interface PollerState {
	consecutiveErrors: number;
	/** Milliseconds since 1970; null when it does not wait. */
	backoffUntil: number | null;
}

/** Real n8n with the packed package, a sandbox, and workflows that begin with the trigger and deliver to a recorder. */
export class PublishedTriggers {
	/** How often each event has been delivered, by its id: a table keyed by `event.id`. */
	readonly rows = new Map<string, number>();
	/** How often each booking has been delivered. */
	readonly bookings = new Map<string, number>();
	private readonly folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-trigger-'));
	private readonly others: N8n[] = [];
	private n8n!: N8n;
	sandbox!: Sandbox;
	private recorder!: ChangeRecorder;
	private credential!: StoredCredential;

	private constructor(
		private readonly env: Record<string, string>,
		private readonly tarball?: string,
	) {}

	/**
	 * @param durable whether n8n's scheduler makes the polls, with durable cursors
	 * @param tarball of another version of the package than today's
	 */
	static async start(durable: boolean, tarball?: string): Promise<PublishedTriggers> {
		const all = new PublishedTriggers(durable ? { ...DURABLE_CURSORS } : {}, tarball);
		try {
			await all.setUp();
			return all;
		} catch (error) {
			await all.stop();
			throw error;
		}
	}

	private async setUp(): Promise<void> {
		this.recorder = await startChangeRecorder(({ guid, event }) => {
			this.rows.set(event.id, (this.rows.get(event.id) ?? 0) + 1);
			this.bookings.set(guid, (this.bookings.get(guid) ?? 0) + 1);
		});
		this.sandbox = await startSandbox({ control: true });
		this.n8n = await startN8n({
			env: this.env,
			home: join(this.folder, 'home'),
			logFile: join(this.folder, 'n8n.log'),
			tarball: this.tarball ?? (await buildPackage()),
		});
		await this.n8n.client.signIn(OWNER);
		this.credential = await this.n8n.client.createCredential(
			'Sandbox',
			'hospitalityBookingApi',
			bookingCredential(this.sandbox.info),
		);
	}

	/** Every delivery, in its order. */
	get arrivals(): readonly Arrival[] {
		return this.recorder.arrivals;
	}

	/** @returns the GUIDs */
	async book(count: number, booking: object = {}): Promise<string[]> {
		const made = await this.sandbox.control<Array<{ guid: string }>>('POST', '/bookings', { count, booking });
		return made.map(({ guid }) => guid);
	}

	async fault(fault: object): Promise<void> {
		await this.sandbox.control('POST', '/faults', { path: WEB_BOOKINGS, fault });
	}

	async mend(): Promise<void> {
		await this.sandbox.control('DELETE', '/faults');
	}

	/** Changes fields of the credential; those not given are as they were at first. */
	async changeCredential(fields: Record<string, string> = {}): Promise<void> {
		const { id, name, type } = this.credential;
		await this.n8n.client.updateCredential(id, name, type, {
			...bookingCredential(this.sandbox.info),
			...fields,
		});
	}

	async create(parameters: JsonObject): Promise<StoredWorkflow> {
		return await this.n8n.client.createWorkflow(
			deliveringWorkflow(this.credential, this.recorder.url, parameters),
		);
	}

	async publish(workflow: StoredWorkflow): Promise<void> {
		await this.n8n.client.activate(workflow);
	}

	async unpublish(workflow: StoredWorkflow): Promise<void> {
		await this.n8n.client.deactivate(workflow);
	}

	/** Another n8n on the same database. */
	async startAnother(): Promise<void> {
		this.others.push(await startN8n({ env: this.env, home: join(this.folder, 'home') }));
	}

	/** Installs another version of the package while n8n is down, as a person does, and starts n8n again. */
	async replacePackage(
		tarball: string,
		{ kill = false, whileDown }: { kill?: boolean; whileDown?: () => Promise<void> } = {},
	): Promise<void> {
		await (kill ? this.n8n.child.kill() : this.n8n.stop());
		await whileDown?.();
		await this.startAgain(tarball);
	}

	private async startAgain(tarball?: string): Promise<void> {
		const home = join(this.folder, 'home');
		const port = Number(new URL(this.n8n.url).port);
		const logFile = join(this.folder, 'n8n.log');
		this.n8n = await startN8n({ env: this.env, home, port, logFile, tarball });
		await this.n8n.client.signIn(OWNER);
	}

	/** The folder of the installed package. */
	get installed(): string {
		return join(this.folder, 'home', '.n8n', 'nodes', 'node_modules', 'n8n-nodes-hospitality-booking');
	}

	/** As it stands in n8n's database. */
	pollerState(workflow: StoredWorkflow): PollerState | undefined {
		const database = new DatabaseSync(join(this.folder, 'home', '.n8n', 'database.sqlite'), {
			readOnly: true,
		});
		try {
			const row = database
				.prepare('SELECT consecutiveErrors, backoffUntil FROM poller_state WHERE workflowId = ?')
				.get(workflow.id);
			if (!row) return undefined;
			const until = row.backoffUntil;
			return {
				consecutiveErrors: Number(row.consecutiveErrors),
				backoffUntil: typeof until === 'string' ? Date.parse(`${until.replace(' ', 'T')}Z`) : null,
			};
		} finally {
			database.close();
		}
	}

	/** Until each of the bookings has been delivered. */
	async untilDelivered(guids: readonly string[]): Promise<void> {
		await until('every booking is delivered', () => guids.every((guid) => this.bookings.has(guid)));
	}

	/** Until so many more polls have been answered. */
	async polls(count: number): Promise<void> {
		await this.sandbox.control('DELETE', '/requests');
		await until(`${count} polls are answered`, async () => {
			const all = await this.sandbox.control<Array<{ path: string; status: number | null }>>(
				'GET',
				'/requests',
			);
			return all.filter(({ path, status }) => path === WEB_BOOKINGS && status === 200).length >= count;
		});
	}

	async stop(): Promise<void> {
		for (const other of this.others) await other.stop();
		await (this.n8n as N8n | undefined)?.stop();
		await (this.sandbox as Sandbox | undefined)?.stop();
		await (this.recorder as ChangeRecorder | undefined)?.close();
		rmSync(this.folder, { recursive: true, force: true });
	}
}
