import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pWaitFor from 'p-wait-for';
import { type N8n, type N8nOptions, startN8n } from '../../harness/n8n.ts';
import type {
	JsonObject,
	Owner,
	StoredCredential,
	StoredWorkflow,
	Workflow,
} from '../../harness/n8nClient.ts';
import { buildPackage } from '../../harness/package.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../harness/sandbox.ts';
import { DURABLE_CURSORS } from './endurance';
import { type ChangeRecorder, startChangeRecorder } from './changeRecorder';

const OWNER: Owner = {
	email: 'owner@example.com',
	firstName: 'Test',
	lastName: 'Owner',
	password: 'Hospitality1',
};
const LIST = '/api/booking/v1/WebBooking/WebBookings';
/** No figure: only how long is waited before something is taken for never coming. */
const PATIENCE_MS = 300_000;
const POLL_SECONDS = 5;

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
	private sandbox!: Sandbox;
	private recorder!: ChangeRecorder;
	private credential!: StoredCredential;

	private constructor(private readonly options: Omit<N8nOptions, 'home'>) {}

	/** @param durable whether n8n's scheduler makes the polls, with durable cursors */
	static async start(durable: boolean, env: Record<string, string> = {}): Promise<PublishedTriggers> {
		const all = new PublishedTriggers({ env: { ...(durable ? DURABLE_CURSORS : {}), ...env } });
		await all.setUp();
		return all;
	}

	private async setUp(): Promise<void> {
		this.recorder = await startChangeRecorder(({ guid, stamp }) => {
			this.rows.set(guid, (this.rows.get(guid) ?? 0) + 1);
			this.bookings.set(stamp, (this.bookings.get(stamp) ?? 0) + 1);
		});
		this.sandbox = await startSandbox({ control: true });
		this.n8n = await startN8n({
			...this.options,
			home: join(this.folder, 'home'),
			logFile: join(this.folder, 'n8n.log'),
			tarball: await buildPackage(),
		});
		await this.n8n.client.signIn(OWNER);
		this.credential = await this.n8n.client.createCredential(
			'Sandbox',
			'hospitalityBookingApi',
			bookingCredential(this.sandbox),
		);
	}

	async control<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		return (await this.sandbox.control(method, path, body)) as T;
	}

	/** @returns the GUIDs */
	async book(count: number, booking: object = {}): Promise<string[]> {
		const made = await this.control<Array<{ guid: string }>>('POST', 'bookings', { count, booking });
		return made.map(({ guid }) => guid);
	}

	async fault(fault: object): Promise<void> {
		await this.control('POST', 'faults', { path: LIST, fault });
	}

	async mend(): Promise<void> {
		await this.control('DELETE', 'faults');
	}

	async secret(clientSecret?: string): Promise<void> {
		const { id, name, type } = this.credential;
		const data = { ...bookingCredential(this.sandbox), ...(clientSecret ? { clientSecret } : {}) };
		await this.n8n.client.updateCredential(id, name, type, data);
	}

	async create(parameters: JsonObject): Promise<StoredWorkflow> {
		return await this.n8n.client.createWorkflow(this.workflowOf(parameters));
	}

	async publish(workflow: StoredWorkflow): Promise<void> {
		await this.n8n.client.activate(workflow);
	}

	async unpublish(workflow: StoredWorkflow): Promise<void> {
		await this.n8n.client.deactivate(workflow);
	}

	/** Another n8n on the same database. */
	async startAnother(): Promise<void> {
		this.others.push(await startN8n({ ...this.options, home: join(this.folder, 'home') }));
	}

	/** The messages of failed executions, newest first. */
	async failures(workflow: StoredWorkflow): Promise<string[]> {
		const failed = (await this.n8n.client.executions(workflow.id, 50)).filter(
			({ status }) => status === 'error',
		);
		const all = await Promise.all(failed.map(({ id }) => this.n8n.client.execution(id)));
		return all.map(({ error }) => error?.message ?? '');
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

	async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
		await pWaitFor(holds, {
			interval: 500,
			timeout: { milliseconds: PATIENCE_MS, message: `It did not come to be that ${what}.` },
		});
	}

	/** Until each of the bookings has been delivered. */
	async untilDelivered(guids: readonly string[]): Promise<void> {
		await this.until('every booking is delivered', () => guids.every((guid) => this.bookings.has(guid)));
	}

	/** Until so many more polls have been answered. */
	async polls(count: number): Promise<void> {
		await this.control('DELETE', 'requests');
		await this.until(`${count} polls are answered`, async () => {
			const all = await this.control<Array<{ path: string; status: number | null }>>('GET', 'requests');
			return all.filter(({ path, status }) => path === LIST && status === 200).length >= count;
		});
	}

	async stop(): Promise<void> {
		for (const other of this.others) await other.stop();
		await (this.n8n as N8n | undefined)?.stop();
		await (this.sandbox as Sandbox | undefined)?.stop();
		await (this.recorder as ChangeRecorder | undefined)?.close();
		rmSync(this.folder, { recursive: true, force: true });
	}

	/** The recorder's `guid` is the event's id here, and its `stamp` the booking. */
	private workflowOf(parameters: JsonObject): Workflow {
		const { id, name } = this.credential;
		const seconds = Array.from({ length: 60 / POLL_SECONDS }, (_, index) => index * POLL_SECONDS);
		const pollTimes = {
			item: seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
		};
		const options = { eventDetails: true, ...(parameters.options as object | undefined) };
		return {
			name: 'Edges',
			nodes: [
				{
					id: 'trigger',
					name: 'Trigger',
					type: 'n8n-nodes-hospitality-booking.hospitalityBookingTrigger',
					typeVersion: 1,
					position: [0, 0],
					parameters: { pollTimes, output: 'selected', outputFields: ['guid'], ...parameters, options },
					credentials: { hospitalityBookingApi: { id, name } },
				},
				{
					id: 'deliver',
					name: 'Deliver',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					position: [200, 0],
					parameters: {
						method: 'POST',
						url: this.recorder.url,
						sendBody: true,
						specifyBody: 'json',
						jsonBody: '={{ { guid: $json.event.id, stamp: $json.guid, execution: $execution.id } }}',
					},
				},
			],
			connections: { Trigger: { main: [[{ node: 'Deliver', type: 'main', index: 0 }]] } },
			settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all', saveDataErrorExecution: 'all' },
		};
	}
}
