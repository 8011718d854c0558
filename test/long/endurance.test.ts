import { endure } from '../support/endurance';

/** `npm run test:endurance` does it with 1,000 changes and three kills, and with n8n's durable cursors. */
it('emits every booking change while calls fail, n8n is killed and the workflow published again', async () => {
	const report = await endure({
		changes: 120,
		seconds: 20,
		incidents: ['kill during an execution', 'publish again'],
		durableCursors: false,
	});
	expect(report).toMatchObject({ changes: 120, lost: [], strangers: [], undelivered: [], runAgain: 0 });
	expect(report.repeatedWithoutKill).toEqual([]);
}, 600_000);
