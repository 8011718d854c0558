import type { ServerResponse } from 'node:http';
import { parse as parseFlatted } from 'flatted';
import type { StoredCredential, StoredWorkflow } from '../../../dev/n8nClient.ts';
import { eventually } from '../../../dev/eventually.ts';
import { packageNode, plainNode } from '../../../dev/runner.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../../dev/sandbox.ts';
import type { LoggedRequest } from '../../../sandbox/control/requestLog.ts';
import { type TestServer, sendJson, startServer } from '../../engine/support/server';
import type { OwnN8n } from './ownN8n';

/** Where the trigger asks for web bookings. */
const WEB_BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
export const POLL_SECONDS = 5;

/** n8n takes no cron entry below a minute, but as many entries as there are. */
const EVERY_FEW_SECONDS = {
	item: Array.from({ length: 60 / POLL_SECONDS }, (_, index) => ({
		mode: 'custom',
		cronExpression: `${index * POLL_SECONDS} * * * * *`,
	})),
};

/** One item that the node behind the trigger delivered. */
interface Arrival {
	guid: string;
	/** The change stamp, as the service gave it. */
	stamp: string;
	/** n8n's number of the execution that delivered it. */
	execution: string;
}

/** A service outside n8n that notes every delivery, also of what it has had before. */
class ChangeRecorder {
	readonly arrivals: Arrival[] = [];
	private readonly waiting: ServerResponse[] = [];
	private held: ((arrival: Arrival) => void) | undefined;
	private server!: TestServer;

	static async start(): Promise<ChangeRecorder> {
		const recorder = new ChangeRecorder();
		recorder.server = await startServer(({ body }, response) => {
			recorder.note(JSON.parse(body) as Arrival, response);
		});
		return recorder;
	}

	private note(arrival: Arrival, response: ServerResponse): void {
		this.arrivals.push(arrival);
		this.waiting.push(response);
		if (this.held) this.held(arrival);
		else this.release();
	}

	get url(): string {
		return this.server.url;
	}

	/** Leaves deliveries unanswered from now on, and resolves with the first of them. */
	hold(): Promise<Arrival> {
		return new Promise((resolve) => (this.held = resolve));
	}

	/** Answers what was held, where somebody still waits for it, and what comes from now on. */
	release(): void {
		this.held = undefined;
		for (const response of this.waiting.splice(0)) sendJson(response, {});
	}

	async close(): Promise<void> {
		await this.server.close();
	}
}

export interface Booking {
	guid: string;
	changeDate: string | null;
	createdDate: string;
}

/** A change is named by the booking and the stamp that the service gave it. */
export const nameOf = (guid: string, stamp: string) => `${guid} changed at ${stamp}`;
export const nameOfChange = ({ guid, changeDate, createdDate }: Booking) =>
	nameOf(guid, changeDate ?? createdDate);

/** An execution and the names of the changes it was started with; none where the poll failed. */
interface StartedWith {
	id: string;
	/** Milliseconds since 1970. */
	startedAt: number;
	names: string[];
}

/** n8n, a sandbox, and a workflow that begins with the trigger and delivers to a recorder. */
export class PublishedTrigger {
	private constructor(
		readonly n8n: OwnN8n,
		readonly sandbox: Sandbox,
		readonly recorder: ChangeRecorder,
		private readonly credential: StoredCredential,
	) {}

	/** @param n8n which is stopped with the rest */
	static async start(n8n: OwnN8n): Promise<PublishedTrigger> {
		const sandbox = await startSandbox({ control: true });
		const data = bookingCredential(sandbox.info);
		const credential = await n8n.client.createCredential('Sandbox', 'hospitalityBookingApi', data);
		return new PublishedTrigger(n8n, sandbox, await ChangeRecorder.start(), credential);
	}

	async book(count: number): Promise<Booking[]> {
		return await this.sandbox.control('POST', '/bookings', { count });
	}

	async fault(fault: object, more: object = {}): Promise<void> {
		await this.sandbox.control('POST', '/faults', { path: WEB_BOOKINGS, fault, ...more });
	}

	async mend(): Promise<void> {
		await this.sandbox.control('DELETE', '/faults');
	}

	/** Publishes the trigger, which polls every five seconds and delivers each item. */
	async publish(): Promise<StoredWorkflow> {
		const { client } = this.n8n;
		const trigger = {
			event: 'bookingChanged',
			pollTimes: EVERY_FEW_SECONDS,
			output: 'raw',
		};
		const place = { id: 'trigger', name: 'Trigger', position: [0, 0] };
		const delivery = {
			method: 'POST',
			url: this.recorder.url,
			sendBody: true,
			specifyBody: 'json',
			jsonBody:
				'={{ { guid: $json.guid, stamp: $json.changeDate ?? $json.createdDate, execution: $execution.id } }}',
		};
		const workflow = await client.createWorkflow({
			name: 'Changes',
			nodes: [
				packageNode('hospitalityBookingTrigger', trigger, this.credential, place),
				{ ...plainNode('Deliver', 'httpRequest', 200), typeVersion: 4.2, parameters: delivery },
			],
			connections: { Trigger: { main: [[{ node: 'Deliver', type: 'main', index: 0 }]] } },
			settings: {
				executionOrder: 'v1',
				saveDataSuccessExecution: 'all',
				saveDataErrorExecution: 'all',
			},
		});
		return await client.activate(workflow);
	}

	/** Until so many more polls have been answered. */
	async polls(count: number): Promise<void> {
		await this.sandbox.control('DELETE', '/requests');
		await eventually(
			`${count} polls are answered`,
			async () => (await this.listsWith(200)) >= count,
		);
	}

	/** Has the service take its time, until a poll waits for it. */
	async untilPollHangs(ms: number, more: object = {}): Promise<void> {
		await this.sandbox.control('DELETE', '/requests');
		await this.fault({ kind: 'delay', ms }, more);
		await eventually('a poll waits for a response', async () => (await this.listsWith(null)) > 0);
	}

	private async listsWith(status: number | null): Promise<number> {
		const all = await this.sandbox.control<LoggedRequest[]>('GET', '/requests');
		return all.filter((one) => one.path === WEB_BOOKINGS && one.status === status).length;
	}

	/** Also executions that were interrupted: n8n stores what it starts one with. In the order they were made. */
	async executionsOf({ id: workflowId }: StoredWorkflow): Promise<StartedWith[]> {
		const { client } = this.n8n;
		const all: StartedWith[] = [];
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		for (let before = ''; ;) {
			const { results } = (await client.request(
				'GET',
				`/rest/executions?filter=${filter}&limit=100${before === '' ? '' : `&lastId=${before}`}`,
			)) as { results: Array<{ id: string; createdAt?: string; startedAt: string | null }> };
			for (const { id, startedAt, createdAt } of results) {
				const { data } = (await client.request('GET', `/rest/executions/${id}`)) as {
					data: string;
				};
				all.push({ id, startedAt: Date.parse(startedAt ?? createdAt ?? ''), names: namesIn(data) });
			}
			before = results.at(-1)?.id ?? '';
			if (results.length < 100) return all.reverse();
		}
	}

	async stop(): Promise<void> {
		await this.n8n.stop();
		await this.sandbox.stop();
		await this.recorder.close();
	}
}

interface Output {
	main?: Array<Array<{ json: Partial<Booking> }> | null>;
}

/**
 * After a crash n8n puts made-up items in the place of what the trigger had put out, but still has what the execution
 * was started with.
 */
function namesIn(data: string): string[] {
	const { resultData, executionData } = parseFlatted(data) as {
		resultData?: { runData?: { Trigger?: Array<{ data?: Output }> } };
		executionData?: { nodeExecutionStack?: Array<{ data?: Output }> };
	};
	const putOut = namesOf(resultData?.runData?.Trigger?.[0]?.data);
	return putOut.length > 0 ? putOut : namesOf(executionData?.nodeExecutionStack?.[0]?.data);
}

function namesOf(output: Output | undefined): string[] {
	return (output?.main?.[0] ?? []).flatMap(
		({ json: { guid, changeDate = null, createdDate = '' } }) =>
			guid === undefined ? [] : [nameOfChange({ guid, changeDate, createdDate })],
	);
}
