import { type EnduranceReport, type Incident, endure } from '../support/endurance';

const CHANGES = 1000;
const SECONDS = 240;
const INCIDENTS: Incident[] = [
	'kill during a poll',
	'publish again',
	'kill during an execution',
	'publish again',
	'kill when idle',
];

function expectNothingLost(report: EnduranceReport): void {
	expect(report.failedCalls).toBeGreaterThan(0);
	expect(report.lost).toEqual([]);
	expect(report.strangers).toEqual([]);
	expect(report.misdelivered).toEqual([]);
}

describe(`${CHANGES} booking changes in real n8n while one call in five fails`, () => {
	it('come out through 3 kills and 2 republications, repeated only what was being emitted at a kill', async () => {
		const report = await endure({
			changes: CHANGES,
			seconds: SECONDS,
			incidents: INCIDENTS,
			durableCursors: false,
		});
		expect(report).toMatchObject({ changes: CHANGES, kills: 3, republications: 2 });
		expectNothingLost(report);
		expect(report.repeatedWithoutKill).toEqual([]);
	});

	it('come out once each with durable cursors, also when n8n ends between its two writes', async () => {
		const report = await endure({
			changes: CHANGES,
			seconds: SECONDS,
			incidents: [...INCIDENTS, 'crash between writes'],
			durableCursors: true,
		});
		expect(report).toMatchObject({ changes: CHANGES, kills: 4, republications: 2 });
		expectNothingLost(report);
		expect(report.repeated).toEqual([]);
	});
});

describe('what durable cursors are for', () => {
	// When this fails because nothing is lost, n8n has closed the gap: then docs/trigger.md promises too little.
	it('without them an n8n that ends between its two writes drops what it was emitting, and nothing else', async () => {
		const report = await endure({
			changes: 60,
			seconds: 20,
			incidents: ['crash between writes'],
			durableCursors: false,
			losing: true,
		});
		expect(report).toMatchObject({ changes: 60, kills: 1 });
		expect(report.lost.length).toBeGreaterThan(0);
		expect(report.lost.length).toBeLessThan(60);
		expect(report.emitted + report.lost.length).toBe(60);
		expect(report.repeated).toEqual([]);
	});
});

describe("'Re-Emit After Restart' and a table keyed by event.id", () => {
	it('lacks no row and has none twice, killed between emission and write and between n8n’s two writes', async () => {
		const report = await endure({
			changes: 60,
			seconds: 20,
			incidents: ['kill during an execution', 'crash between writes'],
			durableCursors: false,
			reEmit: true,
		});
		expect(report).toMatchObject({ changes: 60, kills: 2, strangers: [] });
		expect(report.missingRows).toEqual([]);
		expect(report.doubleRows).toEqual([]);
	});
});
