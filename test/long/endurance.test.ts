import { endure } from './support/endurance';

const PLAN = { changes: 120, seconds: 20 };
const NOTHING_LOST = { changes: 120, lost: [], strangers: [], undelivered: [], runAgain: 0 };

describe('every booking change, while one call in five fails', () => {
	it('is emitted when n8n is killed and the workflow published again, repeated only what was being emitted', async () => {
		const report = await endure({
			...PLAN,
			incidents: ['kill during an execution', 'publish again'],
			durableCursors: false,
		});
		expect(report).toMatchObject(NOTHING_LOST);
		expect(report.repeatedWithoutKill).toEqual([]);
	}, 600_000);

	it('is emitted once with durable cursors, also when n8n ends between its two writes', async () => {
		const report = await endure({
			...PLAN,
			incidents: ['kill during a poll', 'crash between writes'],
			durableCursors: true,
		});
		expect(report).toMatchObject({ ...NOTHING_LOST, repeated: [] });
	}, 600_000);
});
