import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parse as parseFlatted } from 'flatted';
import { type N8n, type N8nOptions, startN8n } from '../../harness/n8n.ts';
import type { N8nClient, StoredWorkflow } from '../../harness/n8nClient.ts';
import { buildPackage } from '../../harness/package.ts';
import { projectRoot } from '../../harness/paths.ts';
import { type Sandbox, bookingCredential, startSandbox } from '../../harness/sandbox.ts';
import { OWNER, chosenN8n } from '../e2e/support/stack';
import { type ChangeRecorder, startChangeRecorder } from './changeRecorder';
import { say, until } from './progress';
import { POLL_SECONDS, WEB_BOOKINGS, deliveringWorkflow } from './triggerWorkflows';

const POLL_MS = POLL_SECONDS * 1000;
const PATIENCE_MS = 300_000;

/** The settings with which n8n stores a trigger's state and the execution it starts in one transaction. */
export const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

/** One call in five fails, as often in each of these ways, ... */
const FAILING_SHARE = 0.2;
const FAILURES = [
	{ kind: 'status', status: 500 },
	{ kind: 'rateLimit', status: 503, seconds: 1 },
	{ kind: 'html', status: 502 },
	{ kind: 'cut' },
	{ kind: 'cutMidBody' },
];
/** ... and some more are answered with 200 and something that is no list. */
const NONSENSE_SHARE = 0.04;
const NONSENSE = [{ kind: 'malformed' }, { kind: 'empty' }];

/**
 * What happens to n8n while bookings change:
 * - `kill during a poll`: kill -9 while the service has not answered yet
 * - `kill during an execution`: kill -9 while the workflow is working on what the trigger emitted
 * - `kill when idle`: kill -9 after polls that emitted nothing, whose state n8n does not store
 * - `crash between writes`: n8n ends, as with kill -9, when it has written the trigger's state and not yet the execution
 * - `publish again`: the workflow is unpublished for a while
 */
export type Incident =
	| 'kill during a poll'
	| 'kill during an execution'
	| 'kill when idle'
	| 'crash between writes'
	| 'publish again';

export interface EndurancePlan {
	changes: number;
	/** Over which the changes are spread. */
	seconds: number;
	/** Happen one after the other, evenly spread over the changes. */
	incidents: readonly Incident[];
	/** Whether n8n runs with its durable cursors. */
	durableCursors: boolean;
	/** Whether changes will be missing at the end; otherwise they are waited for. */
	losing?: boolean;
	/** 'Re-Emit After Restart': what is delivered counts then, as rows of a table keyed by `event.id`. */
	reEmit?: boolean;
}

/** A change is named by the booking's GUID and the stamp that the service gave it. */
export interface EnduranceReport {
	/** How many were made. */
	changes: number;
	/** How many executions the trigger has started, and how many items with them. */
	executions: number;
	emitted: number;
	/** How many items the node behind the trigger delivered. */
	delivered: number;
	/** Polls that ended with an error. */
	failedPolls: number;
	/** Calls of the service, and those that it answered with 400 or higher or not at all. */
	calls: number;
	failedCalls: number;
	kills: number;
	republications: number;
	/** Made, but no execution was started with them. */
	lost: string[];
	/** More than one execution was started with them. */
	repeated: string[];
	/** Those of `repeated` that were not in the execution started last before a kill. */
	repeatedWithoutKill: string[];
	/** Emitted, but not made meanwhile. */
	strangers: string[];
	/** Emitted, not delivered, and the execution was not interrupted by a kill; or delivered more often than emitted. */
	misdelivered: string[];
	/** Made, but without a row in a table keyed by `event.id`; and made once, but with several rows. */
	missingRows: string[];
	doubleRows: string[];
}

interface Booking {
	guid: string;
	changeDate: string | null;
	createdDate: string;
}

const stampOf = ({ changeDate, createdDate }: Booking) => changeDate ?? createdDate;
/** A change is named by the booking and the stamp that the service gave it. */
export const nameOf = (guid: string, stamp: string) => `${guid} changed at ${stamp}`;

/**
 * Changes bookings of a sandbox whose calls fail, while real n8n is killed and its workflow published again, and
 * compares what was made with what came out.
 *
 * Polling sees the newest state of a booking only, so a booking is changed again only after its last change has come
 * out: then every single change must come out.
 */
export async function endure(plan: EndurancePlan): Promise<EnduranceReport> {
	const folder = mkdtempSync(join(tmpdir(), 'hospitality-booking-endurance-'));
	const run = new Run(plan, folder);
	try {
		await run.setUp(await buildPackage());
		await Promise.all([run.makeChanges(), run.letHappen()]);
		await run.settle();
		const report = await run.report();
		sayFigures(report);
		return report;
	} finally {
		await run.tearDown();
		rmSync(folder, { recursive: true, force: true });
	}
}

class Run {
	private readonly plan: EndurancePlan;
	private readonly options: N8nOptions;
	private readonly crashOrder: string;
	private n8n!: N8n;
	private sandbox!: Sandbox;
	private recorder!: ChangeRecorder;
	private workflow!: StoredWorkflow;
	/** Names of the changes made. */
	private readonly made = new Set<string>();
	/** Names of the changes the recorder has got. */
	private readonly arrived = new Set<string>();
	/** The ids of the events that the recorder has got, by change. */
	private readonly rows = new Map<string, Set<string>>();
	/** GUIDs of bookings whose last change has come out. */
	private readonly settled: string[] = [];
	/** The last change of each booking. */
	private readonly last = new Map<string, string>();
	private readonly killedAt: number[] = [];
	private republications = 0;
	/** So many changes may be made by now. */
	private allowed = 0;
	private ended = false;

	constructor(plan: EndurancePlan, folder: string) {
		this.plan = plan;
		this.crashOrder = join(folder, 'crash');
		this.options = {
			n8n: chosenN8n(),
			home: join(folder, 'home'),
			logFile: join(folder, 'n8n.log'),
			env: {
				...(plan.durableCursors ? DURABLE_CURSORS : {}),
				CRASH_WHEN_FOUND: this.crashOrder,
				NODE_OPTIONS: `--import ${pathToFileURL(join(projectRoot(), 'test', 'support', 'crashBetweenWrites.mjs')).href}`,
			},
		};
	}

	async setUp(tarball: string): Promise<void> {
		say(`starting n8n${this.plan.durableCursors ? ' with durable cursors' : ''}`);
		this.recorder = await startChangeRecorder(({ guid, stamp, event }) => {
			const name = nameOf(guid, stamp);
			const isFirst = !this.arrived.has(name);
			this.arrived.add(name);
			this.rows.set(name, (this.rows.get(name) ?? new Set()).add(event.id));
			if (isFirst && this.last.get(guid) === name) this.settled.push(guid);
		});
		this.sandbox = await startSandbox({ control: true });
		this.n8n = await startN8n({ ...this.options, tarball });
		const { client } = this.n8n;
		await client.signIn(OWNER);
		const credential = await client.createCredential(
			'Sandbox',
			'hospitalityBookingApi',
			bookingCredential(this.sandbox.info),
		);
		const options = { reEmit: this.plan.reEmit ?? false };
		this.workflow = await client.createWorkflow(
			deliveringWorkflow(credential, this.recorder.url, { event: 'bookingChanged', options }),
		);
		const old = await this.sandbox.control<Booking[]>('POST', '/bookings', {
			count: Math.ceil(this.plan.changes / 5),
		});
		this.settled.push(...old.map(({ guid }) => guid));
		await client.activate(this.workflow);
		await this.sandbox.control('DELETE', '/stats');
		await this.setFaults();
		say(`n8n is ready, the workflow published; ${this.plan.changes} changes begin`);
	}

	/** New bookings and changes of old ones, some shown in lists a while after they were made. */
	async makeChanges(): Promise<void> {
		const { changes, seconds } = this.plan;
		for (let index = 0; index < changes; index++) {
			while (index >= this.allowed && !this.ended) await sleep(100);
			if (this.ended) return;
			if (index % 20 === 0) {
				await this.sandbox.control('PUT', '/visibility', { delayMs: index % 40 === 0 ? 0 : 3000 });
			}
			if (index === Math.floor(changes / 2)) await this.sandbox.control('POST', '/tokens/revoke');
			await this.makeChange(index);
			await sleep((seconds * 1000) / changes);
		}
	}

	private async makeChange(index: number): Promise<void> {
		const guid = index % 3 === 0 ? undefined : this.settled.shift();
		const status = index % 2 === 0 ? {} : { status: 1 + (index % 4) };
		const changed =
			guid === undefined
				? (await this.sandbox.control<Booking[]>('POST', '/bookings', { count: 1 }))[0]
				: await this.sandbox.control<Booking>('PATCH', `/bookings/${guid}`, {
						message: `Change ${index}`,
						...status,
					});
		if (!changed) throw new Error('The sandbox made no booking.');
		const name = nameOf(changed.guid, stampOf(changed));
		this.made.add(name);
		this.last.set(changed.guid, name);
	}

	/** Changes go on while something happens, but on a slow machine, too, some are left for afterwards. */
	async letHappen(): Promise<void> {
		const { incidents, changes } = this.plan;
		const share = changes / (incidents.length + 1);
		for (const [index, incident] of incidents.entries()) {
			this.allowed = Math.floor(share * (index + 1));
			await this.until(`change ${this.allowed} is made`, () => this.made.size >= this.allowed);
			const meanwhile = () => (this.allowed = Math.floor(share * (index + 1.5)));
			await this.happen(incident, meanwhile);
			say(`${incident}: done after ${this.made.size} changes, ${this.arrived.size} have come out`);
		}
		this.allowed = changes;
	}

	private async happen(incident: Incident, goOnChanging: () => void): Promise<void> {
		if (incident !== 'kill when idle') goOnChanging();
		switch (incident) {
			case 'kill during a poll':
				await this.sandbox.control('DELETE', '/requests');
				await this.sandbox.control('POST', '/faults', {
					path: WEB_BOOKINGS,
					times: 1,
					fault: { kind: 'delay', ms: 2000 },
				});
				await this.until('a poll waits for an answer', async () =>
					(await this.lists()).some(({ status }) => status === null),
				);
				return await this.killAndRestart();
			case 'kill during an execution':
				await this.recorder.hold();
				return await this.killAndRestart(() => this.recorder.release());
			case 'kill when idle':
				await this.untilQuiet();
				return await this.killAndRestart(goOnChanging);
			case 'crash between writes':
				writeFileSync(this.crashOrder, '');
				await this.until('n8n has crashed', () => !existsSync(this.crashOrder));
				return await this.killAndRestart();
			case 'publish again':
				await this.n8n.client.deactivate(this.workflow);
				await sleep(2 * POLL_MS);
				await this.publish();
				this.republications++;
		}
	}

	private async killAndRestart(whileDown: () => void = () => undefined): Promise<void> {
		await this.n8n.child.kill();
		this.killedAt.push(Date.now());
		whileDown();
		await sleep(POLL_MS);
		this.n8n = await startN8n({ ...this.options, port: Number(new URL(this.n8n.url).port) });
		await this.n8n.client.signIn(OWNER);
	}

	/** The first poll is part of publishing; where its call fails, a person presses the button again. */
	private async publish(): Promise<void> {
		await this.until('the workflow is published', () =>
			this.n8n.client.activate(this.workflow).then(
				() => true,
				() => false,
			),
		);
	}

	/** Everything that was made has come out, and some polls have had the chance to repeat it. */
	async settle(): Promise<void> {
		await this.sandbox.control('DELETE', '/faults');
		await this.untilQuiet();
	}

	private async untilQuiet(): Promise<void> {
		if (!this.plan.losing) await this.untilAllCameOut();
		await this.sandbox.control('DELETE', '/requests');
		await this.until('three more polls are answered', async () => {
			return (await this.lists()).filter(({ status }) => status === 200).length >= 3;
		});
		await sleep(POLL_MS);
	}

	private async untilAllCameOut(): Promise<void> {
		let emitted = new Set<string>();
		try {
			await this.until('every change has come out', async () => {
				if (this.missing(this.arrived).length === 0) return true;
				if (this.plan.reEmit) return false;
				emitted = new Set((await this.startedWith()).flatMap(({ names }) => names));
				return this.missing(emitted).length === 0;
			});
		} catch (error) {
			say(`still missing: ${this.missing(emitted).join(', ')} (${String(error)})`);
		}
	}

	private missing(seen: ReadonlySet<string>): string[] {
		return [...this.made].filter((name) => !seen.has(name));
	}

	async report(): Promise<EnduranceReport> {
		const started = await this.startedWith();
		const polls = started.filter(({ names }) => names.length > 0);
		const interrupted = this.killedAt.map(
			(moment) => polls.findLast(({ startedAt }) => startedAt <= moment)?.id,
		);
		const emissions = new Map<string, string[]>();
		for (const { id, names } of polls) {
			for (const name of names) emissions.set(name, [...(emissions.get(name) ?? []), id]);
		}
		const repeated = [...emissions].filter(([, executions]) => executions.length > 1);
		const { requests, failedCalls } = await this.sandbox.control<{ requests: number; failedCalls: number }>(
			'GET',
			'/stats',
		);
		return {
			changes: this.made.size,
			executions: polls.length,
			emitted: polls.reduce((sum, { names }) => sum + names.length, 0),
			delivered: this.recorder.arrivals.length,
			failedPolls: started.length - polls.length,
			calls: requests,
			failedCalls,
			kills: this.killedAt.length,
			republications: this.republications,
			lost: this.missing(new Set(emissions.keys())),
			repeated: repeated.map(([name, executions]) => `${name}, in executions ${executions.join(', ')}`),
			repeatedWithoutKill: repeated
				.filter(([, executions]) => executions.slice(0, -1).some((id) => !interrupted.includes(id)))
				.map(([name]) => name),
			strangers: [...emissions.keys()].filter((name) => !this.made.has(name)),
			misdelivered: this.misdelivered(polls, interrupted),
			missingRows: this.missing(this.arrived),
			doubleRows: [...this.rows].filter(([, ids]) => ids.size > 1).map(([name]) => name),
		};
	}

	private misdelivered(polls: StartedWith[], interrupted: Array<string | undefined>): string[] {
		const emitted = new Map<string, boolean>();
		for (const { id, names } of polls) {
			for (const name of names) emitted.set(`${name} in execution ${id}`, interrupted.includes(id));
		}
		const delivered = this.recorder.arrivals.map(
			({ guid, stamp, execution }) => `${nameOf(guid, stamp)} in execution ${execution}`,
		);
		const once = new Set(delivered);
		return [
			...delivered.filter((name, index) => !emitted.has(name) || delivered.indexOf(name) !== index),
			...[...emitted].filter(([name, cutOff]) => !cutOff && !once.has(name)).map(([name]) => name),
		];
	}

	async tearDown(): Promise<void> {
		this.ended = true;
		await (this.n8n as N8n | undefined)?.stop();
		await (this.sandbox as Sandbox | undefined)?.stop();
		await (this.recorder as ChangeRecorder | undefined)?.close();
	}

	private startedWith(): Promise<StartedWith[]> {
		return startedExecutions(this.n8n.client, this.workflow.id);
	}

	private async lists(): Promise<Array<{ status: number | null }>> {
		const requests = await this.sandbox.control<Array<{ path: string; status: number | null }>>(
			'GET',
			'/requests',
		);
		return requests.filter(({ path }) => path === WEB_BOOKINGS);
	}

	/** Rules are tried in turn, so each one's probability is that it meets what the ones before have let pass. */
	private async setFaults(): Promise<void> {
		const kinds = [
			...FAILURES.map((fault) => ({ fault, share: FAILING_SHARE / FAILURES.length })),
			...NONSENSE.map((fault) => ({ fault, share: NONSENSE_SHARE / NONSENSE.length })),
		];
		let passing = 1;
		for (const { fault, share } of kinds) {
			await this.sandbox.control('POST', '/faults', {
				path: WEB_BOOKINGS,
				probability: share / passing,
				fault,
			});
			passing -= share;
		}
	}

	private async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
		const heldInTime = async () => {
			const held = await holds();
			if (!held && this.ended) throw new Error(`The run ended before it came to be that ${what}.`);
			return held;
		};
		await until(what, heldInTime, PATIENCE_MS);
	}
}

/** An execution and the names of the changes it was started with; none where the poll failed. */
interface StartedWith {
	id: string;
	/** Milliseconds since 1970. */
	startedAt: number;
	names: string[];
}

interface Output {
	main?: Array<Array<{ json: Partial<Booking> }> | null>;
}

/** Also of executions that were interrupted: n8n stores what it starts an execution with. In the order they were made. */
export async function startedExecutions(client: N8nClient, workflowId: string): Promise<StartedWith[]> {
	const all: StartedWith[] = [];
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	for (let before = ''; ;) {
		const { results } = (await client.request(
			'GET',
			`/rest/executions?filter=${filter}&limit=100${before === '' ? '' : `&lastId=${before}`}`,
		)) as { results: Array<{ id: string; createdAt?: string; startedAt: string | null }> };
		for (const { id, startedAt, createdAt } of results) {
			const { data } = (await client.request('GET', `/rest/executions/${id}`)) as { data: string };
			all.push({ id, startedAt: Date.parse(startedAt ?? createdAt ?? ''), names: namesIn(data) });
		}
		before = results.at(-1)?.id ?? '';
		if (results.length < 100) return all.reverse();
	}
}

/**
 * After a crash n8n puts made-up items in the place of what the trigger had put out, but still has what the execution
 * was started with.
 */
function namesIn(data: string): string[] {
	const { resultData, executionData } = parseFlatted(data) as {
		resultData?: { runData?: { Trigger?: Array<{ data?: Output }> } };
		executionData?: { nodeExecutionStack?: Array<{ data?: Output }> };
	};
	const started = executionData?.nodeExecutionStack?.[0]?.data;
	const putOut = resultData?.runData?.Trigger?.[0]?.data;
	const [first = []] = [namesOf(putOut), namesOf(started)].filter((names) => names.length > 0);
	return first;
}

function namesOf(output: Output | undefined): string[] {
	return (output?.main?.[0] ?? []).flatMap(({ json: { guid, changeDate, createdDate } }) =>
		guid === undefined ? [] : [nameOf(guid, changeDate ?? createdDate ?? '')],
	);
}

/** Prints the report as one line of figures. */
function sayFigures(report: EnduranceReport): void {
	const figures = [
		`${report.changes} changes`,
		`${report.calls} calls, ${report.failedCalls} failed (${Math.round((100 * report.failedCalls) / report.calls)} %)`,
		`${report.failedPolls} polls failed`,
		`${report.kills} kills`,
		`${report.republications} republications`,
		`${report.executions} executions with ${report.emitted} items, ${report.delivered} delivered`,
		`${report.lost.length} lost`,
		`${report.repeated.length} repeated`,
	];
	say(figures.join('; '));
}
