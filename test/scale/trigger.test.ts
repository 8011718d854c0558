import { DURABLE_CURSORS } from '../support/endurance';
import { type Cluster, startCluster } from './support/cluster';
import { SHORT, WORKERS } from './support/form';
import { type TriggerPlan, type TriggerReport, runTrigger } from './support/triggerRun';

const plan: TriggerPlan = SHORT
	? { changes: 500, seconds: 40, incidents: ['worker'] }
	: { changes: 5000, seconds: 240, incidents: ['worker', 'main', 'worker'] };

function expectNothingLost(report: TriggerReport): void {
	expect(report.changes).toBe(plan.changes);
	expect(report.failedCalls).toBeGreaterThan(0);
	expect(report.lost).toEqual([]);
	expect(report.undelivered).toEqual([]);
	expect(Object.values(report.work).every((executions) => executions > 0)).toBe(true);
}

describe(`${plan.changes} booking changes, one main and ${WORKERS} workers, one call in ten fails, processes are killed`, () => {
	let cluster: Cluster | undefined;
	afterEach(async () => {
		await cluster?.remove();
		cluster = undefined;
	});

	it('starts exactly one execution with each change with durable cursors', async () => {
		cluster = await startCluster(WORKERS, DURABLE_CURSORS);
		const report = await runTrigger(cluster, plan);
		expectNothingLost(report);
		expect(report.repeated).toEqual([]);
	});

	if (!SHORT) {
		it('starts exactly one execution with each change without them, as long as no main ends between its two writes', async () => {
			cluster = await startCluster(WORKERS);
			const report = await runTrigger(cluster, plan);
			expectNothingLost(report);
			expect(report.repeated).toEqual([]);
		});
	}
});
