import { setTimeout as sleep } from 'node:timers/promises';

import { CallQueue } from '../../../../nodes/shared/http/concurrency/callQueue';
import { startInTurn } from '../../../../nodes/shared/operation/startInTurn';

const tasks = Array.from({ length: 30 }, (_, task) => task);
const never = () => false;
const pace = (callsAtOnce: number) => () => ({ callsAtOnce, batchSize: 1, batchInterval: 0 });

describe('the tasks of a run', () => {
	it('start in their order, never more at once than the ceiling, and all end', async () => {
		const started: number[] = [];
		let underWay = 0;
		let most = 0;
		await startInTurn(tasks, { queue: new CallQueue(), paceOf: pace(4), isOver: never }, async (task) => {
			started.push(task);
			most = Math.max(most, ++underWay);
			await sleep(1);
			underWay--;
		});
		expect(started).toEqual(tasks);
		expect(most).toBe(4);
		expect(underWay).toBe(0);
	});

	it('stop starting once the run is over', async () => {
		const started: number[] = [];
		await startInTurn(
			tasks,
			{ queue: new CallQueue(), paceOf: pace(1), isOver: () => started.length > 2 },
			async (task) => {
				started.push(task);
				await sleep(0);
			},
		);
		expect(started).toEqual([0, 1, 2]);
	});

	it('stop at once when the execution is cancelled in a pause, without an error', async () => {
		const stop = new AbortController();
		const started: number[] = [];
		const paceOf = () => ({ callsAtOnce: 10, batchSize: 2, batchInterval: 60_000 });
		const rules = { queue: new CallQueue(), paceOf, signal: stop.signal, isOver: never };
		await startInTurn(tasks, rules, async (task) => {
			if (started.push(task) === 2) setImmediate(() => stop.abort());
			await Promise.resolve();
		});
		expect(started).toEqual([0, 1]);
	});
});
