import { DURABLE_CURSORS } from '../support/ownN8n';
import { startCluster } from './support/cluster';
import { SHORT, WORKERS } from './support/form';
import { type TriggerPlan, runTrigger } from './support/triggerRun';

const plan: TriggerPlan = SHORT
	? { changes: 500, seconds: 40, incidents: ['worker'] }
	: { changes: 5000, seconds: 240, incidents: ['worker', 'main', 'worker'] };

it.each(
	[
		{ cursors: 'with durable cursors', env: DURABLE_CURSORS },
		{ cursors: 'without them, as long as no main ends between its two writes', env: {} },
	].slice(0, SHORT ? 1 : 2),
)(
	`starts exactly one execution with each of ${plan.changes} booking changes $cursors, one main and ${WORKERS} workers, while one call in ten fails and processes are killed`,
	async ({ env }) => {
		const report = await runTrigger(startCluster(WORKERS, env), plan);
		expect(report).toMatchObject({ changes: plan.changes, lost: [], repeated: [], undelivered: [] });
		expect(report.failedCalls).toBeGreaterThan(0);
		const working = Object.values(report.work).filter((executions) => executions > 0);
		// Of the few executions of the short form the worker that replaces the killed one may get none.
		expect(working.length).toBeGreaterThanOrEqual(SHORT ? 2 : Object.keys(report.work).length);
	},
);
