import { endure } from '../support/endurance';

/** `npm run test:endurance` does it with 1,000 changes and three kills, and with n8n's durable cursors. */
it('emits every booking change while calls fail, n8n is killed and the workflow published again', async () => {
	const report = await endure({
		changes: 120,
		seconds: 20,
		incidents: ['kill during an execution', 'publish again'],
		durableCursors: false,
	});
	expect(report).toMatchObject({ changes: 120, kills: 1, republications: 1 });
	expect(report.lost).toEqual([]);
	expect(report.strangers).toEqual([]);
	expect(report.misdelivered).toEqual([]);
	expect(report.repeatedWithoutKill).toEqual([]);
}, 600_000);
