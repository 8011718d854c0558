import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../../harness/n8nClient.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../../harness/sandbox.ts';
import { type ChangeRecorder, startChangeRecorder } from '../../support/changeRecorder';
import { nameOf, startedExecutions } from '../../support/endurance';
import { WEB_BOOKINGS, deliveringWorkflow } from '../../support/triggerWorkflows';
import { say, until } from '../../support/progress';
import { type Cluster, runningOn, workByWorker } from './cluster';

const FAILING_SHARE = 0.1;
const BATCH = 25;

/** `worker` and `main` are ended with kill -9 while an execution runs, and replaced. */
export type Incident = 'worker' | 'main';

export interface TriggerPlan {
	changes: number;
	/** Over which the changes are spread. */
	seconds: number;
	/** Evenly spread over the changes. */
	incidents: readonly Incident[];
}

export interface TriggerReport {
	changes: number;
	executions: number;
	calls: number;
	failedCalls: number;
	/** Made, but in no execution. */
	lost: string[];
	/** In more than one execution. */
	repeated: string[];
	/** In an execution that was never ended because its worker or main was killed, and not delivered. */
	droppedWithTheProcess: number;
	/** Delivered more than once by the same execution: n8n ran it again. */
	runAgainByN8n: number;
	/** In an execution that was ended, but not delivered. */
	undelivered: string[];
	/** Executions by worker, the killed ones included. */
	work: Record<string, number>;
}

interface Booking {
	guid: string;
	changeDate: string | null;
	createdDate: string;
}

/**
 * Makes booking changes while calls fail and processes are killed, and compares them with what came out.
 *
 * Every booking is new: polling sees only the newest state of a booking, so each change has to be one of its own.
 */
export async function runTrigger(cluster: Cluster, plan: TriggerPlan): Promise<TriggerReport> {
	const recorder = await startChangeRecorder(() => undefined);
	const sandbox = await startSandbox({ control: true });
	try {
		return await new TriggerRun(cluster, plan, recorder, sandbox).run();
	} finally {
		await sandbox.stop();
		await recorder.close();
	}
}

class TriggerRun {
	private readonly cluster: Cluster;
	private readonly plan: TriggerPlan;
	private readonly recorder: ChangeRecorder;
	private readonly sandbox: Sandbox;
	private workflow!: StoredWorkflow;
	private readonly made = new Set<string>();
	private readonly interrupted = new Set<string>();

	constructor(cluster: Cluster, plan: TriggerPlan, recorder: ChangeRecorder, sandbox: Sandbox) {
		this.cluster = cluster;
		this.plan = plan;
		this.recorder = recorder;
		this.sandbox = sandbox;
	}

	async run(): Promise<TriggerReport> {
		const { client } = this.cluster.main;
		const credential = await client.createCredential(
			'Sandbox',
			'hospitalityBookingApi',
			bookingCredential(this.sandbox.info),
		);
		this.workflow = await client.createWorkflow(
			deliveringWorkflow(credential, this.recorder.url, { event: 'bookingChanged' }),
		);
		await client.activate(this.workflow);
		await this.sandbox.control('DELETE', '/stats');
		const broken = { kind: 'cut' };
		await this.sandbox.control('POST', '/faults', { path: WEB_BOOKINGS, times: 1, fault: broken });
		for (const fault of [{ kind: 'status', status: 500 }, broken]) {
			await this.sandbox.control('POST', '/faults', {
				path: WEB_BOOKINGS,
				probability: FAILING_SHARE / 2,
				fault,
			});
		}
		say(`${this.plan.changes} changes begin`);
		await Promise.all([this.makeChanges(), this.letHappen()]);
		await this.settle();
		const report = await this.report();
		await this.cluster.main.client.deactivate(this.workflow);
		sayFigures(report);
		return report;
	}

	private async makeChanges(): Promise<void> {
		const { changes, seconds } = this.plan;
		while (this.made.size < changes) {
			const count = Math.min(BATCH, changes - this.made.size);
			const bookings = await this.sandbox.control<Booking[]>('POST', '/bookings', { count });
			for (const { guid, changeDate, createdDate } of bookings)
				this.made.add(nameOf(guid, changeDate ?? createdDate));
			await sleep((seconds * 1000 * count) / changes);
		}
	}

	private async letHappen(): Promise<void> {
		const { incidents, changes } = this.plan;
		for (const [index, incident] of incidents.entries()) {
			const after = Math.floor((changes * (index + 1)) / (incidents.length + 1));
			await until(`change ${after} is made`, () => this.made.size >= after);
			const { execution } = await this.recorder.hold();
			await (incident === 'worker' ? this.replaceWorkerOf(execution) : this.restartMain());
			this.recorder.release();
			say(`${incident} killed and replaced after ${this.made.size} changes`);
		}
	}

	private async replaceWorkerOf(execution: string): Promise<void> {
		const index = this.cluster.workers.findIndex((worker) => runningOn(worker).includes(execution));
		const worker = this.cluster.workers[index];
		if (!worker) throw new Error(`No worker runs execution ${execution}.`);
		for (const id of runningOn(worker)) this.interrupted.add(id);
		await this.cluster.replaceWorker(index);
	}

	private async restartMain(): Promise<void> {
		await this.cluster.restartMain();
		await this.cluster.signIn();
	}

	private async settle(): Promise<void> {
		await this.sandbox.control('DELETE', '/faults');
		await until('every change is in an execution', async () => {
			const started = await this.started();
			const names = new Set(started.flatMap((execution) => execution.names));
			return [...this.made].every((name) => names.has(name));
		});
		await this.sandbox.control('DELETE', '/requests');
		await until('three more polls are answered', async () => {
			const requests = await this.sandbox.control<Array<{ status: number | null }>>('GET', '/requests');
			return requests.filter(({ status }) => status === 200).length >= 3;
		});
		await until('no execution runs any more', async () => {
			const unfinished = await this.cluster.services.query(
				`SELECT id FROM execution_entity WHERE status IN ('new', 'running')`,
			);
			return unfinished.every(({ id }) => this.interrupted.has(String(id)));
		});
	}

	private started() {
		return startedExecutions(this.cluster.main.client, this.workflow.id);
	}

	private async report(): Promise<TriggerReport> {
		const started = (await this.started()).filter(({ names }) => names.length > 0);
		const executionsOfChange = new Map<string, string[]>();
		for (const { id, names } of started) {
			for (const name of names) executionsOfChange.set(name, [...(executionsOfChange.get(name) ?? []), id]);
		}
		const deliveries = this.recorder.arrivals.map(
			({ guid, stamp, execution }) => `${nameOf(guid, stamp)} in execution ${execution}`,
		);
		const delivered = new Set(deliveries);
		const missing = started.flatMap(({ id, names }) =>
			names
				.filter((name) => !delivered.has(`${name} in execution ${id}`))
				.map((name) => ({ id, name: `${name} in execution ${id}` })),
		);
		const { requests, failedCalls } = await this.sandbox.control<{
			requests: number;
			failedCalls: number;
		}>('GET', '/stats');
		return {
			changes: this.made.size,
			executions: started.length,
			calls: requests,
			failedCalls,
			lost: [...this.made].filter((name) => !executionsOfChange.has(name)),
			repeated: [...executionsOfChange].filter(([, ids]) => ids.length > 1).map(([name]) => name),
			droppedWithTheProcess: missing.filter(({ id }) => this.interrupted.has(id)).length,
			runAgainByN8n: deliveries.length - delivered.size,
			undelivered: missing.filter(({ id }) => !this.interrupted.has(id)).map(({ name }) => name),
			work: workByWorker(this.cluster),
		};
	}
}

function sayFigures(report: TriggerReport): void {
	const { lost, repeated, undelivered, work, ...figures } = report;
	say(
		[
			...Object.entries(figures).map(([name, figure]) => `${name} ${String(figure)}`),
			`lost ${lost.length}`,
			`repeated ${repeated.length}`,
			`undelivered ${undelivered.length}`,
			...Object.entries(work).map(([name, count]) => `${name}: ${count} executions`),
		].join('; '),
	);
}
