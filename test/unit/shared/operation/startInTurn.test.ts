import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';

import { CallQueue } from '../../../../nodes/shared/http/concurrency/callQueue';
import { RecordOrder, startInTurn } from '../../../../nodes/shared/operation/startInTurn';

const tasks = Array.from({ length: 30 }, (_, task) => task);
const rules = () => ({ account: { queue: new CallQueue() }, progress: { isOver: false } });
const pace = (callsAtOnce: number) => () => ({ callsAtOnce, batchSize: 1, batchInterval: 0 });

describe('the tasks of a run', () => {
	it('start in their order, never more at once than the ceiling, and all end', async () => {
		const started: number[] = [];
		let underWay = 0;
		let most = 0;
		await startInTurn(tasks, rules(), pace(4), async (task) => {
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
		const progress = { isOver: false };
		await startInTurn(tasks, { ...rules(), progress }, pace(1), async (task) => {
			progress.isOver = started.push(task) > 2;
			await sleep(0);
		});
		expect(started).toEqual([0, 1, 2]);
	});

	it('stop at once when the execution is cancelled in a pause, without an error', async () => {
		const stop = new AbortController();
		const started: number[] = [];
		const paceOf = () => ({ callsAtOnce: 10, batchSize: 2, batchInterval: 60_000 });
		await startInTurn(tasks, { ...rules(), signal: stop.signal }, paceOf, async (task) => {
			if (started.push(task) === 2) setImmediate(() => stop.abort());
			await Promise.resolve();
		});
		expect(started).toEqual([0, 1]);
	});
});

test('changes of the same record go one after the other in their order, each seen by the next', async () => {
	const someChanges = fc.array(
		fc.record({
			records: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
			takes: fc.integer({ min: 0, max: 3 }),
			fails: fc.boolean(),
		}),
		{ maxLength: 12 },
	);
	await fc.assert(
		fc.asyncProperty(someChanges, async (changes) => {
			const order = new RecordOrder();
			const underWay = new Map<string, number>();
			const ended: number[] = [];
			const run = changes.map(async ({ records, takes, fails }, index) => {
				await order.run(records, async () => {
					for (const record of records) {
						expect(underWay.has(record)).toBe(false);
						underWay.set(record, index);
					}
					await sleep(takes);
					for (const record of records) underWay.delete(record);
					ended.push(index);
					if (fails) throw new Error('refused');
				});
			});
			const results = await Promise.allSettled(run);
			expect(results.map(({ status }) => status === 'rejected')).toEqual(changes.map(({ fails }) => fails));
			for (const record of ['a', 'b', 'c']) {
				const inOrder = ended.filter((index) => changes[index]?.records.some((own) => own === record));
				expect(inOrder).toEqual([...inOrder].sort((one, other) => one - other));
			}
		}),
		{ numRuns: 40 },
	);
});
