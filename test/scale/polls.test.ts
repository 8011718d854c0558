import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import countBy from 'lodash/countBy';
import pWaitFor from 'p-wait-for';
import { median } from '../../bench/report.ts';
import { type N8n, startN8n } from '../../harness/n8n.ts';
import { buildPackage } from '../../harness/package.ts';
import { projectRoot } from '../../harness/paths.ts';
import { plainNode } from '../../harness/runner.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../harness/sandbox.ts';
import type { Stats } from '../../sandbox/control/requestLog.ts';
import { OWNER } from '../e2e/support/stack';
import { WEB_BOOKINGS, triggerWorkflow } from '../support/triggerWorkflows';
import { say } from '../support/progress';
import { SHORT } from './support/form';
import { referenceWork } from './support/referenceWork';
import { type Demand, demandOf } from './support/scalingModel';

const TRIGGERS = SHORT ? 20 : 200;
const MINUTES = SHORT ? 1 : 3;
const IDLE_MS = SHORT ? 20_000 : 60_000;

const EVERY_MINUTE = { pollTimes: { item: [{ mode: 'everyMinute' }] }, event: 'bookingCreated' };
const DONE = plainNode('Done', 'noOp', 200);

/** What a process takes depends on when it collects garbage: on a busy machine later. */
const MEMORY_FACTOR = 2.5;

/** By how much the heap of an n8n varies that does nothing. */
const HEAP_NOISE_MEBIBYTES = 5;

type Measured = Exclude<keyof Demand, 'callsInABusySecond' | 'heapMebibytes' | 'tokenRequestsPerHour'>;

/** The factor by which a run may differ from the model, either way. */
const TOLERANCE: Array<[what: Measured, factor: number]> = [
	['callsPerMinute', 1.1],
	['mebibytesPerDay', 1.3],
	['stateBytesPerSite', 1.3],
	// 20 triggers take less than what n8n does by itself varies by.
	...(SHORT
		? []
		: ([
				['coreShare', 1.5],
				['memoryMebibytes', MEMORY_FACTOR],
			] as Array<[Measured, number]>)),
];

interface Sample {
	at: number;
	p99: number;
	max: number;
	rss: number;
	heapUsed: number;
	cpuMs: number;
	/** Whether garbage was collected first. */
	collected: boolean;
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
			bookingCredential(sandbox.info),
		);
		await sleep(IDLE_MS);
		const idle = usage(samplesFile, IDLE_MS);
		const idleHeap = await heapInUse(samplesFile);
		const publish = async (from: number, to: number) => {
			for (let index = from; index < to; index++)
				await client.activate(
					await client.createWorkflow(triggerWorkflow(`Site ${index + 1}`, credential, EVERY_MINUTE, DONE)),
				);
			await sleep(60_000);
		};
		// From now on every poll finds one booking within its overlap.
		await sandbox.control('POST', '/bookings', { count: 1 });
		await publish(0, TRIGGERS / 2);
		const half = usage(samplesFile, 30_000);
		const halfHeap = await heapInUse(samplesFile);
		await publish(TRIGGERS / 2, TRIGGERS);
		// n8n polls at whole seconds: a window that begins and ends late in one cuts no poll off and counts none twice.
		await sleep((1_900 - (Date.now() % 1_000)) % 1_000);
		await sandbox.control('DELETE', '/stats');
		await sandbox.control('DELETE', '/requests');
		const end = Date.now() + MINUTES * 60_000;
		const referenceMs = await workWhileWaiting(MINUTES * 60_000);
		const busy = usage(samplesFile, MINUTES * 60_000);
		const busyHeap = await heapInUse(samplesFile);
		const polls = (await sandbox.control<Array<{ time: string; path: string }>>('GET', '/requests')).filter(
			({ time, path }) => path === WEB_BOOKINGS && Date.parse(time) < end,
		);
		const stats = await sandbox.control<Stats>('GET', '/stats');
		const load = { pollsPerMinute: 1, changesPerHour: 1, overlapMinutes: 2, processes: 1, referenceMs };
		const model = demandOf({ ...load, sites: TRIGGERS });
		const halfModel = demandOf({ ...load, sites: TRIGGERS / 2 });
		const measured: Record<Measured, number> = {
			callsPerMinute: polls.length / MINUTES,
			mebibytesPerDay: ((stats.bytesOut / MINUTES) * 60 * 24) / 2 ** 20,
			coreShare: busy.coreShare - idle.coreShare,
			memoryMebibytes: busy.processMebibytes - idle.processMebibytes,
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
				`memory of the process ${busy.processMebibytes.toFixed(0)} MiB (with half of them ${half.processMebibytes.toFixed(0)}, idle ${idle.processMebibytes.toFixed(0)} MiB), of its heap after collecting garbage ${busyHeap.toFixed(0)} MiB (${halfHeap.toFixed(0)}, ${idleHeap.toFixed(0)})`,
				`event loop delay: median of p99 ${busy.p99.toFixed(0)} ms (idle ${idle.p99.toFixed(0)} ms), at most ${busy.max.toFixed(0)} ms`,
				...Object.entries(measured).map(
					([what, value]) => `${what} ${value.toFixed(3)} (model ${model[what as Measured].toFixed(3)})`,
				),
			].join('; '),
		);
		const beyond = TOLERANCE.filter(([what, factor]) => {
			const ratio = measured[what] / model[what];
			return !(ratio < factor && ratio > 1 / factor);
		});
		expect(beyond).toEqual([]);
		expect(busyHeap - idleHeap).toBeLessThan(model.heapMebibytes + HEAP_NOISE_MEBIBYTES);
		expect(halfHeap - idleHeap).toBeLessThan(halfModel.heapMebibytes + HEAP_NOISE_MEBIBYTES);
		expect(half.processMebibytes - idle.processMebibytes).toBeLessThan(
			MEMORY_FACTOR * halfModel.memoryMebibytes,
		);
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
		processMebibytes: median(recent.map(({ rss }) => rss)) / 2 ** 20,
		p99: median(recent.map(({ p99 }) => p99)),
		max: Math.max(...recent.map(({ max }) => max)),
	};
}

/** @returns the MiB of n8n's heap that are in use, once garbage has been collected */
async function heapInUse(file: string): Promise<number> {
	const asked = Date.now();
	writeFileSync(`${file}.collect`, '');
	const collected = () => samples(file).find((sample) => sample.collected && sample.at >= asked);
	await pWaitFor(() => collected() !== undefined, { timeout: 60_000 });
	return (collected()?.heapUsed ?? NaN) / 2 ** 20;
}

function samples(file: string): Sample[] {
	return readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line.endsWith('}'))
		.map((line) => JSON.parse(line) as Sample);
}
