import { setTimeout as sleep } from 'node:timers/promises';

import fc from 'fast-check';

import { RecordOrder } from '../../../../nodes/shared/operation/startInTurn';

describe('changes of a run', () => {
	it('of the same record go one after the other in their order, each seen by the next', async () => {
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
});
