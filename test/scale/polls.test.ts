import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import countBy from 'lodash/countBy';
import { median } from '../../bench/report.ts';
import { type Demand, demandOf } from '../../bench/scalingModel.ts';
import { type N8n, startN8n } from '../../harness/n8n.ts';
import { buildPackage } from '../../harness/package.ts';
import { projectRoot } from '../../harness/paths.ts';
import { plainNode } from '../../harness/runner.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../harness/sandbox.ts';
import { OWNER } from '../e2e/support/stack';
import { WEB_BOOKINGS, triggerWorkflow } from '../support/triggerWorkflows';
import { say } from './support/cluster';
import { SHORT } from './support/form';
import { referenceWork } from './support/referenceWork';

const TRIGGERS = SHORT ? 20 : 200;
const MINUTES = SHORT ? 1 : 3;
const IDLE_MS = SHORT ? 20_000 : 60_000;

const EVERY_MINUTE = { pollTimes: { item: [{ mode: 'everyMinute' }] }, event: 'bookingCreated' };
const DONE = plainNode('Done', 'noOp', 200);

/** The factor by which a run may differ from the model, either way. */
const TOLERANCE: Array<[what: 'callsPerMinute' | 'mebibytesPerDay' | 'stateBytesPerSite', factor: number]> = [
	['callsPerMinute', 1.1],
	['mebibytesPerDay', 1.3],
	['stateBytesPerSite', 1.3],
];

interface Sample {
	at: number;
	p99: number;
	max: number;
	rss: number;
	heapUsed: number;
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
		const credential = await client.createCredential(
			'Sandbox',
			'hospitalityBookingApi',
			bookingCredential(sandbox),
		);
		await sleep(IDLE_MS);
		const idle = usage(samplesFile, IDLE_MS);
		for (let index = 0; index < TRIGGERS; index++)
			await client.activate(
				await client.createWorkflow(triggerWorkflow(`Site ${index + 1}`, credential, EVERY_MINUTE, DONE)),
			);
		// From now on every poll finds one booking within its overlap.
		await sandbox.control('POST', 'bookings', { count: 1 });
		await sleep(60_000);
		await sandbox.control('DELETE', 'stats');
		await sandbox.control('DELETE', 'requests');
		const referenceMs = await workWhileWaiting(MINUTES * 60_000);
		const busy = usage(samplesFile, MINUTES * 60_000);
		const polls = (
			(await sandbox.control('GET', 'requests')) as Array<{ time: string; path: string }>
		).filter(({ path }) => path === WEB_BOOKINGS);
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
			memoryMebibytes: busy.heapMebibytes - idle.heapMebibytes,
			stateBytesPerSite: storedBytes(join(folder, 'home')),
		};
		const cpuMsPerPoll = (measured.coreShare * 60_000) / measured.callsPerMinute;
		const bySecond = countBy(polls, ({ time }) => time.slice(0, 19));
		const most = Math.max(...Object.values(bySecond));
		const seconds = new Set(polls.map(({ time }) => new Date(time).getUTCSeconds()));
		say(
			[
				`${polls.length} polls in ${MINUTES} min, in ${seconds.size} of 60 seconds, at most ${most} in one second (model: ${model.callsInABusySecond} in the busiest of 100)`,
				`at most ${stats.maxConcurrent} calls at once, ${stats.failedCalls} failed, ${stats.tokenRequests} token requests, ${Math.round(stats.bytesOut / polls.length)} bytes a poll`,
				`CPU of a poll ${cpuMsPerPoll.toFixed(1)} ms, of the reference work ${referenceMs.toFixed(1)} ms, ratio ${(cpuMsPerPoll / referenceMs).toFixed(2)}`,
				`memory of the process ${busy.processMebibytes.toFixed(0)} MiB (idle ${idle.processMebibytes.toFixed(0)} MiB)`,
				`event loop delay: median of p99 ${busy.p99} ms (idle ${idle.p99} ms), at most ${busy.max} ms`,
				...Object.entries(measured).map(
					([what, value]) => `${what} ${value.toFixed(3)} (model ${model[what as keyof Demand].toFixed(3)})`,
				),
			].join('; '),
		);
		const beyond = TOLERANCE.filter(([what, factor]) => {
			const ratio = measured[what] / model[what];
			return !(ratio < factor && ratio > 1 / factor);
		});
		expect(beyond).toEqual([]);
		expect(most).toBeLessThanOrEqual(2 * model.callsInABusySecond);
		expect(seconds.size).toBeGreaterThan(SHORT ? 5 : 40);
		expect(stats.tokenRequests).toBeLessThanOrEqual(model.tokenRequestsPerHour);
		expect(stats.failedCalls).toBe(0);
	});
});

/** @returns the bytes of state that n8n has stored for a workflow, on average */
function storedBytes(home: string): number {
	const database = new DatabaseSync(join(home, '.n8n', 'database.sqlite'), { readOnly: true });
	try {
		return Number(
			database.prepare('SELECT AVG(LENGTH(staticData)) AS bytes FROM workflow_entity').get()?.bytes,
		);
	} finally {
		database.close();
	}
}

interface Stats {
	maxConcurrent: number;
	tokenRequests: number;
	failedCalls: number;
	bytesOut: number;
}

/** @returns the CPU time that the reference work takes meanwhile, in milliseconds */
async function workWhileWaiting(ms: number): Promise<number> {
	const end = performance.now() + ms;
	const all: number[] = [];
	while (performance.now() < end) {
		all.push(referenceWork());
		await sleep(Math.max(0, Math.min(3_000, end - performance.now())));
	}
	return median(all);
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
		processMebibytes: last.rss / 2 ** 20,
		// What is left when garbage has been collected.
		heapMebibytes: Math.min(...recent.map(({ heapUsed }) => heapUsed)) / 2 ** 20,
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
