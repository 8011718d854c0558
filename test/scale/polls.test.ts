import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type N8n, startN8n } from '../../harness/n8n.ts';
import type { Workflow } from '../../harness/n8nClient.ts';
import { buildPackage } from '../../harness/package.ts';
import { projectRoot } from '../../harness/paths.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../harness/sandbox.ts';
import { OWNER, say } from './support/cluster';
import { SHORT } from './support/form';

const TRIGGERS = SHORT ? 20 : 200;
const MINUTES = SHORT ? 1 : 3;
const LIST = '/api/booking/v1/WebBooking/WebBookings';

interface Sample {
	at: number;
	p99: number;
	max: number;
	rss: number;
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

	it('poll once a minute each, spread over the minute, from one token', async () => {
		const { client } = n8n;
		const { id, name } = await client.createCredential(
			'Sandbox',
			'hospitalityBookingApi',
			bookingCredential(sandbox),
		);
		const idle = samples(samplesFile).at(-1);
		for (let index = 0; index < TRIGGERS; index++)
			await client.activate(await client.createWorkflow(pollingWorkflow(index, { id, name })));
		await sandbox.control('DELETE', 'stats');
		await sandbox.control('DELETE', 'requests');
		const began = Date.now();
		await sleep(MINUTES * 60_000);
		const measured = samples(samplesFile).filter(({ at }) => at >= began);
		const polls = (
			(await sandbox.control('GET', 'requests')) as Array<{ time: string; path: string }>
		).filter(({ path }) => path === LIST);
		const bySecond = new Map<number, number>();
		for (const { time } of polls) {
			const second = new Date(time).getUTCSeconds();
			bySecond.set(second, (bySecond.get(second) ?? 0) + 1);
		}
		const stats = (await sandbox.control('GET', 'stats')) as {
			maxConcurrent: number;
			tokenRequests: number;
			failedCalls: number;
			bytesOut: number;
		};
		const mebibytes = (bytes = 0) => Math.round(bytes / 2 ** 20);
		say(
			[
				`${polls.length} polls in ${MINUTES} min, in ${bySecond.size} of 60 seconds, at most ${Math.max(...bySecond.values()) / MINUTES} in the same second of a minute`,
				`at most ${stats.maxConcurrent} calls at once, ${stats.failedCalls} failed, ${stats.tokenRequests} token requests, ${Math.round(stats.bytesOut / polls.length)} bytes a poll`,
				`event loop delay: median of p99 ${median(measured.map(({ p99 }) => p99))} ms, at most ${Math.max(...measured.map(({ max }) => max))} ms`,
				`memory ${mebibytes(idle?.rss)} MiB before, ${mebibytes(measured.at(-1)?.rss)} MiB after`,
			].join('; '),
		);
		expect(polls.length).toBeGreaterThanOrEqual(TRIGGERS * (MINUTES - 1) || TRIGGERS - 1);
		expect(polls.length).toBeLessThanOrEqual(TRIGGERS * (MINUTES + 1));
		expect(bySecond.size).toBeGreaterThan(SHORT ? 5 : 40);
		expect(stats.tokenRequests).toBeLessThanOrEqual(1);
		expect(stats.failedCalls).toBe(0);
	});
});

function samples(file: string): Sample[] {
	return readFileSync(file, 'utf8')
		.split('\n')
		.filter((line) => line.endsWith('}'))
		.map((line) => JSON.parse(line) as Sample);
}

function median(values: number[]): number {
	return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
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
