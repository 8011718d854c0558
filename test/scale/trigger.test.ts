import { type ChangePlan, ChangeRun } from '../support/changeRun';
import { DURABLE_CURSORS } from '../support/ownN8n';
import { eventually, PATIENT_MS } from '../support/progress';
import { PublishedTriggers, nameOfChange } from '../support/publishedTrigger';
import { type Cluster, WORKERS, describeCluster, runningOn, startCluster } from './support/cluster';

const BATCH = 25;

/** Every booking is new: polling sees only the newest state of a booking, so each change has to be one of its own. */
class TriggerRun extends ChangeRun<'worker', Cluster> {
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

	protected override async happen(): Promise<void> {
		const { recorder, n8n } = this.site;
		const { execution } = await recorder.hold();
		const index = n8n.workers.findIndex((worker) => runningOn(worker).includes(execution));
		const worker = n8n.workers[index];
		if (!worker) throw new Error(`No worker runs execution ${execution}.`);
		for (const id of runningOn(worker)) this.killed.add(id);
		await n8n.replaceWorker(index);
		recorder.release();
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

const plan: ChangePlan<'worker'> = { changes: 500, seconds: 40, incidents: ['worker'] };

describeCluster(`one main and ${WORKERS} workers, with durable cursors`, () => {
	it(`start exactly one execution with each of ${plan.changes} booking changes, while one call in ten fails and a worker is killed`, async () => {
		const site = await PublishedTriggers.start(startCluster(DURABLE_CURSORS));
		try {
			const report = await new TriggerRun(site, plan).run();
			expect(report).toMatchObject({ changes: plan.changes, lost: [], repeated: [], undelivered: [] });
			expect(report.failedCalls).toBeGreaterThan(0);
			// Of the few executions the worker that replaces the killed one may get none.
			expect(site.n8n.work().filter((count) => count > 0).length).toBeGreaterThanOrEqual(WORKERS);
		} finally {
			await site.stop();
		}
	});
});
