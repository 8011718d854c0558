import type { ChangeReport } from '../support/changeRun';
import { type Incident, endure } from '../support/endurance';

const CHANGES = 1000;
const LONG = { changes: CHANGES, seconds: 240 };
const SHORT = { changes: 60, seconds: 20, durableCursors: false };
const INCIDENTS: Incident[] = [
	'kill during a poll',
	'publish again',
	'kill during an execution',
	'publish again',
	'kill when idle',
];

function expectNothingLost(report: ChangeReport): void {
	expect(report).toMatchObject({ changes: CHANGES, lost: [], strangers: [], undelivered: [], runAgain: 0 });
	expect(report.failedCalls).toBeGreaterThan(0);
}

describe(`${CHANGES} booking changes in real n8n while one call in five fails`, () => {
	it('come out through 3 kills and 2 republications, repeated only what was being emitted at a kill', async () => {
		const report = await endure({ ...LONG, incidents: INCIDENTS, durableCursors: false });
		expectNothingLost(report);
		expect(report.repeatedWithoutKill).toEqual([]);
	});

	it('come out once each with durable cursors, also when n8n ends between its two writes', async () => {
		const incidents: Incident[] = [...INCIDENTS, 'crash between writes'];
		const report = await endure({ ...LONG, incidents, durableCursors: true });
		expectNothingLost(report);
		expect(report.repeated).toEqual([]);
	});
});

// When this fails because nothing is lost, n8n has closed the gap: then docs/trigger.md promises too little.
it('without durable cursors an n8n that ends between its two writes drops what it was emitting, and nothing else', async () => {
	const report = await endure({ ...SHORT, incidents: ['crash between writes'], losing: true });
	expect(report).toMatchObject({ changes: 60, repeated: [] });
	expect(report.lost.length).toBeGreaterThan(0);
	expect(report.lost.length).toBeLessThan(60);
	expect(report.emitted + report.lost.length).toBe(60);
});

it("with 'Re-Emit After Restart' a table keyed by event.id lacks no row and has none twice, killed between emission and write and between n8n’s two writes", async () => {
	const incidents: Incident[] = ['kill during an execution', 'crash between writes'];
	const report = await endure({ ...SHORT, incidents, reEmit: true });
	expect(report).toMatchObject({ changes: 60, strangers: [], missingRows: [], doubleRows: [] });
});
