import { type ChangePlan, ChangeRun } from '../support/changeRun';
import { DURABLE_CURSORS } from '../support/ownN8n';
import { eventually, PATIENT_MS } from '../support/progress';
import { PublishedTriggers, nameOfChange } from '../support/publishedTrigger';
import {
	type Cluster,
	WORKERS,
	describeCluster,
	runningOn,
	startCluster,
	workByWorker,
} from './support/cluster';

const BATCH = 25;

/** `worker` and `main` are ended with kill -9 while an execution runs, and replaced. */
type Incident = 'worker' | 'main';

/** Every booking is new: polling sees only the newest state of a booking, so each change has to be one of its own. */
class TriggerRun extends ChangeRun<Incident, Cluster> {
	protected override readonly failures = [
		{ fault: { kind: 'status', status: 500 }, share: 0.05 },
		{ fault: { kind: 'cut' }, share: 0.05 },
	];
	private readonly killed = new Set<string>();

	protected override async change(_index: number, left: number): Promise<string[]> {
		return (await this.site.book(Math.min(BATCH, left))).map(nameOfChange);
	}

	protected override needsQuiet(): boolean {
		return false;
	}

	protected override async happen(incident: Incident): Promise<void> {
		const { recorder, n8n } = this.site;
		const { execution } = await recorder.hold();
		await (incident === 'worker' ? this.replaceWorkerOf(execution) : n8n.restartMain());
		recorder.release();
	}

	private async replaceWorkerOf(execution: string): Promise<void> {
		const { n8n } = this.site;
		const index = n8n.workers.findIndex((worker) => runningOn(worker).includes(execution));
		const worker = n8n.workers[index];
		if (!worker) throw new Error(`No worker runs execution ${execution}.`);
		for (const id of runningOn(worker)) this.killed.add(id);
		await n8n.replaceWorker(index);
	}

	protected override async untilQuiet(): Promise<void> {
		await super.untilQuiet();
		await eventually(
			'no execution runs any more',
			async () => {
				const unfinished = await this.site.n8n.unfinishedExecutions(this.workflow.id);
				return unfinished.every((id) => this.killed.has(id));
			},
			PATIENT_MS,
		);
	}

	protected override interrupted(): ReadonlySet<string> {
		return this.killed;
	}
}

const plan: ChangePlan<Incident> = { changes: 500, seconds: 40, incidents: ['worker'] };

describeCluster(`one main and ${WORKERS} workers, with durable cursors`, () => {
	it(`start exactly one execution with each of ${plan.changes} booking changes, while one call in ten fails and a worker is killed`, async () => {
		const site = await PublishedTriggers.start(startCluster(WORKERS, DURABLE_CURSORS));
		try {
			const report = await new TriggerRun(site, plan).run();
			expect(report).toMatchObject({ changes: plan.changes, lost: [], repeated: [], undelivered: [] });
			expect(report.failedCalls).toBeGreaterThan(0);
			const working = Object.values(workByWorker(site.n8n)).filter((executions) => executions > 0);
			// Of the few executions the worker that replaces the killed one may get none.
			expect(working.length).toBeGreaterThanOrEqual(2);
		} finally {
			await site.stop();
		}
	});
});
