import { setTimeout as sleep } from 'node:timers/promises';
import type { N8nClient, StoredCredential } from '../harness/n8nClient.ts';
import { bookingCredential, startSandbox, type Sandbox } from '../harness/sandbox.ts';
import type { Bench } from './bench.ts';
import { median, table } from './report.ts';
import {
	builtWatcher,
	ourWatcher,
	LOOK_BACK_SECONDS,
	POLL_SECONDS,
	type Watcher,
} from './trigger/watchers.ts';

/** What the service is like. */
interface Conditions {
	name: string;
	/** How far the service's clock is ahead of n8n's. */
	skewMs: number;
	/** How long a change stays out of lists. */
	lateMs: number;
}

const CONDITIONS: readonly Conditions[] = [
	{ name: 'clocks agree, changes are visible at once', skewMs: 0, lateMs: 0 },
	{
		name: "the service's clock is 15 s behind, changes become visible 5 s late",
		skewMs: -15_000,
		lateMs: 5_000,
	},
];
const FULL = { changes: 200, seconds: 60 };
const QUICK = { changes: 10, seconds: 5 };
const FAILING_SHARE = 0.2;
const FAULTS = [{ kind: 'status', status: 503 }, { kind: 'cut' }, { kind: 'cutMidBody' }];
/** Each fault meets what those before it have let through; together they meet the failing share. */
const PROBABILITY = 1 - (1 - FAILING_SHARE) ** (1 / FAULTS.length);
/** When the bookings were made: long before the first poll looks back. */
const LONG_AGO_MS = 86_400_000;
const MOST_EXECUTIONS = 100;

/** A change that was made: its mark on the booking, and when. */
interface Change {
	mark: string;
	at: number;
}

/** What a watcher made of all changes, and what that took. */
interface Outcome {
	lost: number;
	repeated: number;
	calls: number;
	failedCalls: number;
	bytes: number;
	/** Seconds from a change to the start of the workflow with it, of each one found. */
	delays: number[];
}

/** A service, and a workflow that watches it. */
interface Side {
	name: string;
	sandbox: Sandbox;
	watcher: Watcher;
	bookings: string[];
}

/**
 * The same booking changes under the same faults, watched for by this trigger and by what people build without one.
 * Each side has a sandbox of its own, both seeded and changed alike, so that each side's calls are counted alone.
 *
 * @returns a line for each set of conditions
 */
export async function benchTrigger({ n8n, quick, say }: Bench): Promise<string[]> {
	const { changes, seconds } = quick ? QUICK : FULL;
	say(
		`${changes} changes of as many bookings in ${seconds} s, a poll every ${POLL_SECONDS} s that looks back ${LOOK_BACK_SECONDS} s, ${FAILING_SHARE * 100}% of the calls fail: as a minute's schedule that looks back two, in a twelfth of the time\n`,
	);
	const results: string[] = [];
	for (const conditions of CONDITIONS) {
		const sides = [
			await ours(n8n.client, await startService(conditions), changes),
			await theirs(n8n.client, await startService(conditions), changes),
		];
		const outcomes = await watch(n8n.client, sides, conditions, changes, (seconds * 1000) / changes);
		for (const { sandbox } of sides) await sandbox.stop();
		say(describe(conditions, sides, outcomes));
		const lost = outcomes.map(({ lost: own, repeated }) => `${own} lost, ${repeated} repeated`);
		results.push(
			`Of ${changes} changes where ${conditions.name}: this trigger ${lost.join('; without it ')}`,
		);
	}
	return results;
}

/** A service whose clock has always gone wrong: its records are stamped by it too. */
async function startService({ skewMs }: Conditions): Promise<Sandbox> {
	const sandbox = await startSandbox({ control: true });
	await sandbox.control('PUT', '/clock', { skewMs });
	return sandbox;
}

async function ours(client: N8nClient, sandbox: Sandbox, bookings: number): Promise<Side> {
	const credential = await client.createCredential(
		'This trigger',
		'hospitalityBookingApi',
		bookingCredential(sandbox.info),
	);
	return await side('this trigger', sandbox, ourWatcher(credential), bookings);
}

async function theirs(client: N8nClient, sandbox: Sandbox, bookings: number): Promise<Side> {
	const credential: StoredCredential = await client.createCredential('OAuth2', 'oAuth2Api', {
		grantType: 'clientCredentials',
		accessTokenUrl: `${sandbox.info.authUrl}/connect/token`,
		clientId: sandbox.info.clientId,
		clientSecret: sandbox.info.clientSecret,
		scope: 'publicAPI',
		authentication: 'body',
	});
	const watcher = builtWatcher(credential, sandbox.info.baseUrl, sandbox.info.system);
	return await side('Schedule Trigger + HTTP Request + Remove Duplicates', sandbox, watcher, bookings);
}

async function side(name: string, sandbox: Sandbox, watcher: Watcher, count: number): Promise<Side> {
	const long = new Date(Date.now() - LONG_AGO_MS).toISOString();
	const booking = { createdDate: long, changeDate: long };
	const created = await sandbox.control<Array<{ guid: string }>>('POST', '/bookings', { count, booking });
	return { name, sandbox, watcher, bookings: created.map(({ guid }) => guid) };
}

/** Publishes both, lets the faults begin, makes the changes on both services and waits until the last can be found. */
async function watch(
	client: N8nClient,
	sides: readonly Side[],
	{ lateMs }: Conditions,
	count: number,
	everyMs: number,
): Promise<Outcome[]> {
	const workflows = [];
	for (const { sandbox, watcher } of sides) {
		workflows.push(await client.activate(await client.createWorkflow(watcher.workflow)));
		await sandbox.control('PUT', '/visibility', { delayMs: lateMs });
		for (const fault of FAULTS) {
			await sandbox.control('POST', '/faults', { method: 'GET', probability: PROBABILITY, fault });
		}
		await sandbox.control('DELETE', '/stats');
	}
	const changes: Change[] = [];
	const began = performance.now();
	for (let index = 0; index < count; index++) {
		const change = { mark: `change-${index}`, at: Date.now() };
		await Promise.all(
			sides.map(({ sandbox, bookings }) =>
				sandbox.control('PATCH', `/bookings/${bookings[index]}`, { eventTag: change.mark }),
			),
		);
		changes.push(change);
		await sleep(Math.max(0, began + (index + 1) * everyMs - performance.now()));
	}
	await sleep(lateMs + 1000 * (LOOK_BACK_SECONDS + 2 * POLL_SECONDS));
	const outcomes: Outcome[] = [];
	for (const [index, { sandbox, watcher }] of sides.entries()) {
		const workflow = workflows[index];
		if (!workflow) continue;
		await client.deactivate(workflow);
		const found = await foundMarks(client, workflow.id, watcher.foundBy);
		outcomes.push(await compare(changes, found, sandbox));
	}
	return outcomes;
}

/** When each mark was found, by the start of the execution. */
async function foundMarks(
	client: N8nClient,
	workflowId: string,
	foundBy: string,
): Promise<Map<string, number[]>> {
	const found = new Map<string, number[]>();
	for (const { id, startedAt } of await client.executions(workflowId, MOST_EXECUTIONS)) {
		const { runs } = await client.execution(id);
		for (const { json } of runs[foundBy]?.[0]?.data?.main?.[0] ?? []) {
			const mark = String(json.eventTag);
			found.set(mark, [...(found.get(mark) ?? []), Date.parse(startedAt)]);
		}
	}
	return found;
}

async function compare(
	changes: readonly Change[],
	found: Map<string, number[]>,
	sandbox: Sandbox,
): Promise<Outcome> {
	const stats = await sandbox.control<{
		requests: number;
		tokenRequests: number;
		failedCalls: number;
		bytesOut: number;
	}>('GET', '/stats');
	const times = changes.map(({ mark, at }) => ({ at, seen: found.get(mark) ?? [] }));
	return {
		lost: times.filter(({ seen }) => seen.length === 0).length,
		repeated: times.filter(({ seen }) => seen.length > 1).length,
		calls: stats.requests - stats.tokenRequests,
		failedCalls: stats.failedCalls,
		bytes: stats.bytesOut,
		delays: times.flatMap(({ at, seen }) => (seen.length > 0 ? [(Math.min(...seen) - at) / 1000] : [])),
	};
}

function describe({ name }: Conditions, sides: readonly Side[], outcomes: readonly Outcome[]): string {
	const seconds = (value: number) => (Number.isFinite(value) ? value.toFixed(1) : '–');
	const rows = outcomes.map(({ lost, repeated, calls, failedCalls, bytes, delays }, index) => [
		sides[index]?.name ?? '',
		lost,
		repeated,
		calls,
		failedCalls,
		bytes,
		seconds(median(delays)),
		seconds(Math.max(...delays)),
	]);
	const head = ['', 'lost', 'repeated', 'calls', 'failed calls', 'bytes', 'seconds to workflow', 'at most'];
	return `Where ${name}\n${table([head, ...rows])}\n`;
}
