// 1,000 booking changes through real n8n while calls fail, n8n is killed and the workflow is published again.
// Run with Node 24 or later: node bench/trigger-endurance.ts [--durable] [--minutes N]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parse as parseFlatted } from 'flatted';
import { stopAll } from '../demo/children.ts';
import { startN8n, type N8n, type N8nOptions } from '../demo/n8n.ts';
import type { N8nClient, StoredWorkflow, Workflow } from '../demo/n8nClient.ts';
import { buildPackage } from '../demo/package.ts';
import { bookingCredential, startSandbox, type Sandbox } from '../demo/sandbox.ts';

const CHANGES = 1000;
const KILLS = 3;
const REPUBLICATIONS = 2;
const POLL_SECONDS = 5;
const OWNER = { email: 'owner@example.com', firstName: 'Test', lastName: 'Owner', password: 'Hospitality1' };
const DURABLE = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};
/** One call in five fails, each way as often as the others. */
const FAULTS = [
	{ kind: 'status', status: 500 },
	{ kind: 'cut' },
	{ kind: 'malformed' },
	{ kind: 'html', status: 502 },
	{ kind: 'empty', status: 200 },
];

interface Booking {
	guid: string;
	changeDate: string | null;
	createdDate: string;
}

const nameOf = ({ guid, changeDate, createdDate }: Booking) => `${guid} ${changeDate ?? createdDate}`;

const { values } = parseArgs({
	options: { durable: { type: 'boolean', default: false }, minutes: { type: 'string', default: '4' } },
});

function say(text: string): void {
	process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

function workflow(credential: { id: string; name: string }): Workflow {
	const seconds = Array.from({ length: 60 / POLL_SECONDS }, (_, index) => index * POLL_SECONDS);
	return {
		name: 'Endurance',
		nodes: [
			{
				id: 'trigger',
				name: 'Trigger',
				type: 'n8n-nodes-hospitality-booking.hospitalityBookingTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {
					pollTimes: {
						item: seconds.map((second) => ({ mode: 'custom', cronExpression: `${second} * * * * *` })),
					},
					event: 'bookingChanged',
					output: 'selected',
					outputFields: ['guid', 'changeDate', 'createdDate'],
				},
				credentials: { hospitalityBookingApi: credential },
			},
			{
				id: 'end',
				name: 'End',
				type: 'n8n-nodes-base.noOp',
				typeVersion: 1,
				position: [200, 0],
				parameters: {},
			},
		],
		connections: { Trigger: { main: [[{ node: 'End', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'all', saveDataErrorExecution: 'all' },
	};
}

/** What the executions were started with, also those that were killed before they ran. */
async function emitted(
	client: N8nClient,
	workflowId: string,
): Promise<{ names: string[][]; failed: number }> {
	const names: string[][] = [];
	let failed = 0;
	let lastId = '';
	for (;;) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		const before = lastId === '' ? '' : `&lastId=${lastId}`;
		const { results } = (await client.request(
			'GET',
			`/rest/executions?filter=${filter}&limit=100${before}`,
		)) as {
			results: Array<{ id: string; status: string }>;
		};
		for (const { id, status } of results) {
			if (id === lastId) continue;
			const { data } = (await client.request('GET', `/rest/executions/${id}`)) as { data: string };
			const run = parseFlatted(data) as {
				resultData?: {
					runData?: Record<string, Array<{ data?: { main?: Array<Array<{ json: Booking }>> } }>>;
				};
				executionData?: { nodeExecutionStack?: Array<{ data?: { main?: Array<Array<{ json: Booking }>> } }> };
			};
			const main =
				run.resultData?.runData?.Trigger?.[0]?.data?.main ??
				run.executionData?.nodeExecutionStack?.[0]?.data?.main;
			const bookings = (main?.[0] ?? []).map(({ json }) => json).filter(({ guid }) => guid);
			if (bookings.length === 0) {
				failed++;
				continue;
			}
			names.push(bookings.map(nameOf));
			if (status !== 'success') say(`execution ${id} is ${status}, with ${bookings.length} bookings`);
		}
		const next = results.at(-1)?.id ?? '';
		if (results.length < 100 || next === lastId) return { names, failed };
		lastId = next;
	}
}

async function untilPublished(client: N8nClient, stored: StoredWorkflow): Promise<void> {
	for (let tries = 1; ; tries++) {
		try {
			await client.activate(stored);
			return;
		} catch (error) {
			if (tries === 20) throw error;
			await sleep(1000);
		}
	}
}

async function makeChanges(sandbox: Sandbox, old: Booking[], made: string[], forMs: number): Promise<void> {
	const begun = performance.now();
	for (let index = 0; index < CHANGES; index++) {
		const booking = old[index / 2];
		const changed = booking
			? await sandbox.control('PATCH', `bookings/${booking.guid}`, { message: `Change ${index}` })
			: ((await sandbox.control('POST', 'bookings', { count: 1 })) as Booking[])[0];
		made.push(nameOf(changed as Booking));
		await sleep(Math.max(0, begun + (forMs * (index + 1)) / CHANGES - performance.now()));
	}
}

async function main(): Promise<boolean> {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-endurance-'));
	const tarball = await buildPackage();
	const sandbox = await startSandbox({ control: true });
	const options: N8nOptions = {
		home: join(folder, 'home'),
		logFile: join(folder, 'n8n.log'),
		env: values.durable ? DURABLE : {},
	};
	let n8n: N8n = await startN8n({ ...options, tarball });
	say(`n8n at ${n8n.url}, data in ${folder}`);
	await n8n.client.signIn(OWNER);
	const old = (await sandbox.control('POST', 'bookings', { count: CHANGES / 2 })) as Booking[];
	const credential = await n8n.client.putCredential(
		'Sandbox',
		'hospitalityBookingApi',
		bookingCredential(sandbox),
	);
	const stored = await n8n.client.putWorkflow(workflow({ id: credential.id, name: credential.name }));
	await untilPublished(n8n.client, stored);
	for (const fault of FAULTS) {
		await sandbox.control('POST', 'faults', {
			path: '/WebBookings',
			probability: 0.2 / FAULTS.length,
			fault,
		});
	}
	say('published; changes begin, one call in five fails');

	const made: string[] = [];
	const forMs = Number(values.minutes) * 60_000;
	const changing = makeChanges(sandbox, old, made, forMs);
	const steps = KILLS + REPUBLICATIONS;
	for (let step = 0; step < steps; step++) {
		await sleep(forMs / (steps + 1));
		if (step % 2 === 0) {
			await n8n.child.kill();
			n8n = await startN8n({ ...options, logFile: join(folder, `n8n-${step}.log`) });
			await n8n.client.signIn(OWNER);
			say(`killed n8n and started it again, after ${made.length} changes`);
		} else {
			await n8n.client.deactivate(stored);
			await sleep(2 * POLL_SECONDS * 1000);
			await untilPublished(n8n.client, stored);
			say(`published again, after ${made.length} changes`);
		}
	}
	await changing;
	await sandbox.control('DELETE', 'faults');
	await sleep(6 * POLL_SECONDS * 1000);

	const { names, failed } = await emitted(n8n.client, stored.id);
	const times = new Map<string, number>();
	for (const name of names.flat()) times.set(name, (times.get(name) ?? 0) + 1);
	const lost = made.filter((name) => !times.has(name));
	const repeated = [...times.values()].filter((count) => count > 1);
	const madeUp = [...times.keys()].filter((name) => !made.includes(name));
	const calls = (await sandbox.control('GET', 'stats')) as { requests: number; failedCalls: number };
	say(
		`${made.length} changes, ${names.length} executions, ${failed} failed polls, ` +
			`${calls.requests} calls of which ${calls.failedCalls} failed: ` +
			`${lost.length} lost, ${repeated.length} repeated, ${madeUp.length} not made in this time`,
	);
	await n8n.stop();
	await sandbox.stop();
	if (lost.length === 0) rmSync(folder, { recursive: true, force: true });
	return lost.length === 0 && madeUp.length === 0 && (values.durable ? repeated.length === 0 : true);
}

try {
	process.exitCode = (await main()) ? 0 : 1;
} finally {
	await stopAll();
}
