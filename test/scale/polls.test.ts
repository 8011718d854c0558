import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import countBy from 'lodash/countBy';
import { median } from '../../bench/report.ts';
import { type Demand, demandOf } from '../../bench/scalingModel.ts';
import { type N8n, startN8n } from '../../harness/n8n.ts';
import type { Workflow } from '../../harness/n8nClient.ts';
import { buildPackage } from '../../harness/package.ts';
import { projectRoot } from '../../harness/paths.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../harness/sandbox.ts';
import { OWNER } from '../support/endurance';
import { say } from './support/cluster';
import { SHORT } from './support/form';

const TRIGGERS = SHORT ? 20 : 200;
const MINUTES = SHORT ? 1 : 3;
const IDLE_MS = 20_000;
const LIST = '/api/booking/v1/WebBooking/WebBookings';

interface Sample {
	at: number;
	p99: number;
	max: number;
	rss: number;
	cpuMs: number;
}

describe(`${TRIGGERS} published triggers that poll every minute on one n8n`, () => {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-polls-'));
	const samplesFile = join(folder, 'loop.jsonl');
	let n8n: N8n;
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox({ control: true });
		n8n = await startN8n({
			home: join(folder, 'home'),
			tarball: await buildPackage(),
			logFile: join(folder, 'n8n.log'),
			env: {
				LOOP_MONITOR: samplesFile,
				NODE_OPTIONS: `--import ${pathToFileURL(join(projectRoot(), 'test', 'scale', 'support', 'loopMonitor.mjs')).href}`,
			},
		});
		await n8n.client.signIn(OWNER);
	});
	afterAll(async () => {
		await n8n.stop();
		await sandbox.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	it('poll once a minute each, spread over the minute, as the model in docs/scaling.md says', async () => {
		const { client } = n8n;
		const { id, name } = await client.createCredential(
			'Sandbox',
			'hospitalityBookingApi',
			bookingCredential(sandbox),
		);
		await sleep(IDLE_MS);
		const idle = usage(samplesFile, IDLE_MS);
		for (let index = 0; index < TRIGGERS; index++)
			await client.activate(await client.createWorkflow(pollingWorkflow(index, { id, name })));
		// From now on every poll finds one booking within its overlap.
		await sandbox.control('POST', 'bookings', { count: 1 });
		await sleep(60_000);
		await sandbox.control('DELETE', 'stats');
		await sandbox.control('DELETE', 'requests');
		await sleep(MINUTES * 60_000);
		const busy = usage(samplesFile, MINUTES * 60_000);
		const polls = (
			(await sandbox.control('GET', 'requests')) as Array<{ time: string; path: string }>
		).filter(({ path }) => path === LIST);
		const stats = (await sandbox.control('GET', 'stats')) as Stats;
		const model = demandOf({
			sites: TRIGGERS,
			pollsPerMinute: 1,
			changesPerHour: 1,
			overlapMinutes: 2,
			processes: 1,
		});
		const measured = {
			callsPerMinute: polls.length / MINUTES,
			mebibytesPerDay: ((stats.bytesOut / MINUTES) * 60 * 24) / 2 ** 20,
			coreShare: busy.coreShare - idle.coreShare,
			memoryMebibytes: busy.memoryMebibytes - idle.memoryMebibytes,
		};
		const bySecond = countBy(polls, ({ time }) => time.slice(0, 19));
		const seconds = new Set(polls.map(({ time }) => new Date(time).getUTCSeconds()));
		say(
			[
				`${polls.length} polls in ${MINUTES} min, in ${seconds.size} of 60 seconds, at most ${Math.max(...Object.values(bySecond))} in one second (model: ${model.callsInABusySecond} in the busiest of 100)`,
				`at most ${stats.maxConcurrent} calls at once, ${stats.failedCalls} failed, ${stats.tokenRequests} token requests, ${Math.round(stats.bytesOut / polls.length)} bytes a poll`,
				`event loop delay: median of p99 ${busy.p99} ms (idle ${idle.p99} ms), at most ${busy.max} ms`,
				...Object.entries(measured).map(
					([what, value]) => `${what} ${value.toFixed(3)} (model ${model[what as keyof Demand].toFixed(3)})`,
				),
			].join('; '),
		);
		expect(measured.callsPerMinute).toBeGreaterThan(model.callsPerMinute * 0.9);
		expect(measured.callsPerMinute).toBeLessThan(model.callsPerMinute * 1.1);
		expect(measured.mebibytesPerDay).toBeGreaterThan(model.mebibytesPerDay * 0.7);
		expect(measured.mebibytesPerDay).toBeLessThan(model.mebibytesPerDay * 1.3);
		expect(seconds.size).toBeGreaterThan(SHORT ? 5 : 40);
		expect(stats.tokenRequests).toBeLessThanOrEqual(model.tokenRequestsPerHour);
		expect(stats.failedCalls).toBe(0);
	});
});

interface Stats {
	maxConcurrent: number;
	tokenRequests: number;
	failedCalls: number;
	bytesOut: number;
}

/** What n8n has used in the last `ms` milliseconds. */
function usage(file: string, ms: number) {
	const all = samples(file);
	const since = Date.now() - ms;
	const recent = all.filter(({ at }) => at >= since);
	const [first, last] = [recent[0], recent.at(-1)];
	if (!first || !last) throw new Error('n8n has not written what it uses.');
	return {
		coreShare: (last.cpuMs - first.cpuMs) / (last.at - first.at),
		memoryMebibytes: last.rss / 2 ** 20,
		p99: median(recent.map(({ p99 }) => p99)),
		max: Math.max(...recent.map(({ max }) => max)),
	};
}

function samples(file: string): Sample[] {
	return readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line.endsWith('}'))
		.map((line) => JSON.parse(line) as Sample);
}

function pollingWorkflow(index: number, credential: { id: string; name: string }): Workflow {
	return {
		name: `Site ${index + 1}`,
		settings: { executionOrder: 'v1' },
		connections: { Trigger: { main: [[{ node: 'Done', type: 'main', index: 0 }]] } },
		nodes: [
			{
				id: 'trigger',
				name: 'Trigger',
				type: 'n8n-nodes-hospitality-booking.hospitalityBookingTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, event: 'bookingCreated' },
				credentials: { hospitalityBookingApi: credential },
			},
			{
				id: 'done',
				name: 'Done',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
	};
}
