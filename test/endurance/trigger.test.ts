import { type EnduranceReport, endure } from '../support/endurance';

const PLAN = {
	changes: 1000,
	seconds: 240,
	incidents: [
		'kill during a poll',
		'publish again',
		'kill during an execution',
		'publish again',
		'kill when idle',
	],
} as const;

function expectNothingLost(report: EnduranceReport): void {
	expect(report).toMatchObject({ changes: 1000, kills: 3, republications: 2 });
	expect(report.failedCalls).toBeGreaterThan(0);
	expect(report.lost).toEqual([]);
	expect(report.strangers).toEqual([]);
	expect(report.misdelivered).toEqual([]);
}

describe('1,000 booking changes in real n8n, one call in five failing, 3 kills, 2 republications', () => {
	it('emits every change, and repeats only what was being emitted when n8n was killed', async () => {
		const report = await endure({ ...PLAN, durableCursors: false });
		expectNothingLost(report);
		expect(report.repeatedWithoutKill).toEqual([]);
	});

	it('emits every change once with durable cursors', async () => {
		const report = await endure({ ...PLAN, durableCursors: true });
		expectNothingLost(report);
		expect(report.repeated).toEqual([]);
	});
});
