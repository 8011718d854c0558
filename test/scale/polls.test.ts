import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import countBy from 'lodash/countBy';
import pWaitFor from 'p-wait-for';
import { median } from '../../bench/report.ts';
import { plainNode } from '../../harness/runner.ts';
import type { LoggedRequest, Stats } from '../../sandbox/control/requestLog.ts';
import { OwnN8n } from '../support/ownN8n';
import { PublishedTriggers } from '../support/publishedTrigger';
import { WEB_BOOKINGS } from '../support/triggerWorkflows';
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
	let site: PublishedTriggers<OwnN8n>;

	beforeAll(async () => {
		const preload = join(__dirname, 'support', 'loopMonitor.mjs');
		site = await PublishedTriggers.start(OwnN8n.start({ preload }));
	});
	afterAll(async () => await site.stop());

	it('poll once a minute each, spread over the minute, as the model in docs/scaling.md says', async () => {
		const { n8n, sandbox } = site;
		const publishHalf = async () => {
			for (let index = 0; index < TRIGGERS / 2; index++) await site.publish(EVERY_MINUTE, DONE);
			await sleep(60_000);
		};
		await sleep(IDLE_MS);
		const idle = await usage(n8n, IDLE_MS);
		// From now on every poll finds one booking within its overlap.
		await site.book(1);
		await publishHalf();
		const half = await usage(n8n, 30_000);
		await publishHalf();
		// n8n polls at whole seconds: a window that begins and ends late in one cuts no poll off and counts none twice.
		await sleep((1_900 - (Date.now() % 1_000)) % 1_000);
		await sandbox.control('DELETE', '/stats');
		await sandbox.control('DELETE', '/requests');
		const end = Date.now() + MINUTES * 60_000;
		const referenceMs = await workWhileWaiting(MINUTES * 60_000);
		const busy = await usage(n8n, MINUTES * 60_000);
		const polls = (await sandbox.control<LoggedRequest[]>('GET', '/requests')).filter(
			({ time, path }) => path === WEB_BOOKINGS && Date.parse(time) < end,
		);
		const stats = await sandbox.control<Stats>('GET', '/stats');
		const load = { pollsPerMinute: 1, changesPerHour: 1, overlapMinutes: 2, processes: 1, referenceMs };
		const model = demandOf({ ...load, sites: TRIGGERS });
		const halfModel = demandOf({ ...load, sites: TRIGGERS / 2 });
		const state = n8n.row('SELECT AVG(LENGTH(staticData)) AS bytes FROM workflow_entity');
		const measured: Record<Measured, number> = {
			callsPerMinute: polls.length / MINUTES,
			mebibytesPerDay: ((stats.bytesOut / MINUTES) * 60 * 24) / 2 ** 20,
			coreShare: busy.coreShare - idle.coreShare,
			memoryMebibytes: busy.processMebibytes - idle.processMebibytes,
			stateBytesPerSite: Number(state?.bytes),
		};
		const cpuMsPerPoll = (measured.coreShare * 60_000) / measured.callsPerMinute;
		const most = Math.max(...Object.values(countBy(polls, ({ time }) => time.slice(0, 19))));
		const seconds = new Set(polls.map(({ time }) => new Date(time).getUTCSeconds())).size;
		const figures = { polls: polls.length, seconds, most, cpuMsPerPoll, referenceMs, measured, model };
		say(JSON.stringify({ ...figures, idle, half, busy, maxConcurrent: stats.maxConcurrent }));
		const beyond = TOLERANCE.filter(([what, factor]) => {
			const ratio = measured[what] / model[what];
			return !(ratio < factor && ratio > 1 / factor);
		});
		expect(beyond).toEqual([]);
		expect(busy.heapMebibytes - idle.heapMebibytes).toBeLessThan(model.heapMebibytes + HEAP_NOISE_MEBIBYTES);
		expect(half.heapMebibytes - idle.heapMebibytes).toBeLessThan(
			halfModel.heapMebibytes + HEAP_NOISE_MEBIBYTES,
		);
		expect(half.processMebibytes - idle.processMebibytes).toBeLessThan(
			MEMORY_FACTOR * halfModel.memoryMebibytes,
		);
		expect(most).toBeLessThanOrEqual(2 * model.callsInABusySecond);
		expect(seconds).toBeGreaterThan(SHORT ? 5 : 40);
		expect(stats.tokenRequests).toBeLessThanOrEqual(model.tokenRequestsPerHour);
		expect(stats.failedCalls).toBe(0);
	});
});

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

/** What n8n has used in the last `ms` milliseconds, and the heap that is in use now, once garbage has been collected. */
async function usage({ exchangeFile: file }: OwnN8n, ms: number) {
	const now = Date.now();
	const recent = samples(file).filter(({ at }) => at >= now - ms);
	const [first, last] = [recent[0], recent.at(-1)];
	if (!first || !last) throw new Error('n8n has not written what it uses.');
	writeFileSync(`${file}.collect`, '');
	const heapUsed = await pWaitFor(
		() => {
			const collected = samples(file).find((sample) => sample.collected && sample.at >= now);
			return collected ? pWaitFor.resolveWith(collected.heapUsed) : false;
		},
		{ timeout: 60_000 },
	);
	return {
		coreShare: (last.cpuMs - first.cpuMs) / (last.at - first.at),
		processMebibytes: median(recent.map(({ rss }) => rss)) / 2 ** 20,
		heapMebibytes: heapUsed / 2 ** 20,
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
