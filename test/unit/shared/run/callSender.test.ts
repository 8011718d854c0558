import { setTimeout as sleep } from 'node:timers/promises';

import { CallQueue } from '../../../../nodes/shared/http/queue';
import type {
	ItemContext,
	ItemResult,
	PlannedCall,
	Run,
} from '../../../../nodes/shared/operation/operation';
import { CallSender } from '../../../../nodes/shared/run/callSender';
import { fc } from '../../../support/property';

/** Starts the calls as a run does. */
async function sendInOrder(calls: readonly PlannedCall[], run: Run): Promise<void> {
	const sender = new CallSender(run);
	for (const call of calls) {
		if (run.signal.aborted) break;
		await sender.start(call);
	}
	await sender.allEnded();
}

/** Sends 30 calls. */
async function sendThirty(
	concurrencyLimit: number,
	send: (index: number, stop: AbortController) => Promise<void>,
	changes: readonly string[] = [],
): Promise<void> {
	const stop = new AbortController();
	const calls = Array.from({ length: 30 }, (_, index): PlannedCall => ({
		items: [],
		changes,
		async send() {
			await send(index, stop);
			return [];
		},
	}));
	await sendInOrder(calls, runOf(concurrencyLimit, stop.signal));
}

const runOf = (concurrencyLimit: number, signal: AbortSignal) =>
	({
		account: { queue: new CallQueue() },
		settings: { concurrencyLimit },
		signal,
		end: () => {},
	}) as unknown as Run;

describe('the calls of a run', () => {
	it('start in their order, never more at once than the limit, and all end', async () => {
		const started: number[] = [];
		let underWay = 0;
		let most = 0;
		await sendThirty(4, async (index) => {
			started.push(index);
			most = Math.max(most, ++underWay);
			await sleep(1);
			underWay--;
		});
		expect(started).toEqual([...started.keys()]);
		expect([started.length, most, underWay]).toEqual([30, 4, 0]);
	});

	it('start when the queue is ready for another', async () => {
		const stop = new AbortController();
		const run = runOf(4, stop.signal);
		let letGoOn = () => {};
		const ready = new Promise<void>((resolve) => (letGoOn = resolve));
		jest.spyOn(run.account.queue, 'ready').mockReturnValue(ready);
		const sender = new CallSender(run);
		let isNextAsked = false;
		const started = sender
			.start({ items: [], changes: [], send: async () => [] })
			.then(() => (isNextAsked = true));
		await sleep(5);

		expect(isNextAsked).toBe(false);
		letGoOn();
		await started;
		expect(isNextAsked).toBe(true);
	});

	it.each([
		['of records of their own', []],
		['that wait for the same record', ['one']],
	])('%s: none starts after the run is over', async (_, changes) => {
		const started: number[] = [];
		await sendThirty(
			changes.length > 0 ? 30 : 1,
			async (index, stop) => {
				if (started.push(index) === 3) stop.abort();
				await sleep(1);
			},
			changes,
		);
		expect(started).toEqual([0, 1, 2]);
	});
});

test('changes of the same record go one after the other in their order, each seen by the next', async () => {
	const someChanges = fc.array(
		fc.record({
			records: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
			takes: fc.integer({ min: 0, max: 3 }),
		}),
		{ maxLength: 12 },
	);
	await fc.assert(
		fc.asyncProperty(someChanges, async (someOfThem) => {
			const underWay = new Set<string>();
			const ended: number[] = [];
			const calls = someOfThem.map(({ records, takes }, index): PlannedCall => ({
				items: [],
				changes: records,
				async send() {
					for (const record of records) {
						expect(underWay.has(record)).toBe(false);
						underWay.add(record);
					}
					await sleep(takes);
					for (const record of records) underWay.delete(record);
					ended.push(index);
					return [];
				},
			}));
			await sendInOrder(calls, runOf(200, new AbortController().signal));
			expect(ended).toHaveLength(calls.length);
			for (const record of ['a', 'b', 'c']) {
				const inOrder = ended.filter((index) => calls[index]?.changes.includes(record));
				expect(inOrder).toEqual([...inOrder].sort((one, other) => one - other));
			}
		}),
		{ numRuns: 40 },
	);
});

test('a call in flight that fails after the run has ended is one of its failures', async () => {
	const stop = new AbortController();
	const ended: ItemResult[] = [];
	const item = { itemIndex: 1, node: { type: 'x' }, action: 'Try' } as unknown as ItemContext;
	const call: PlannedCall = {
		items: [item],
		changes: [],
		async send() {
			stop.abort();
			await sleep(1);
			throw new Error('Broken');
		},
	};
	const run: Run = { ...runOf(1, stop.signal), end: (results) => void ended.push(...results) };

	await sendInOrder([call], run);

	expect(ended).toMatchObject([
		{ itemIndex: 1, error: { message: expect.stringContaining('Broken') as string } },
	]);
});
