import { setTimeout as sleep } from 'node:timers/promises';

import { CallQueue } from '../../../../../nodes/shared/http/concurrency/callQueue';
import { startInTurn } from '../../../../../nodes/shared/http/concurrency/startInTurn';

const tasks = Array.from({ length: 30 }, (_, task) => task);
const never = () => false;

describe('the tasks of a run', () => {
	it('start in their order, never more at once than the ceiling, and all end', async () => {
		const started: number[] = [];
		let underWay = 0;
		let most = 0;
		await startInTurn(tasks, { queue: new CallQueue(), ceilingOf: () => 4, isOver: never }, async (task) => {
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
			{ queue: new CallQueue(), ceilingOf: () => 1, isOver: () => started.length > 2 },
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
		const pause = async (index: number) => {
			if (index < 2) return;
			stop.abort();
			await sleep(60_000, undefined, { signal: stop.signal });
		};
		const rules = { queue: new CallQueue(), ceilingOf: () => 10, signal: stop.signal, isOver: never, pause };
		await startInTurn(tasks, rules, async (task) => {
			await Promise.resolve(started.push(task));
		});
		expect(started).toEqual([0, 1]);
	});
});
