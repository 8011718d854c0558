import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import differenceBy from 'lodash/differenceBy';
import groupBy from 'lodash/groupBy';
import mapValues from 'lodash/mapValues';
import size from 'lodash/size';
import uniqBy from 'lodash/uniqBy';
import { eventually } from '../../../dev/eventually.ts';
import type { StoredWorkflow } from '../../../dev/n8nClient.ts';
import { DURABLE_CURSORS, OwnN8n } from './ownN8n';
import {
	type Booking,
	POLL_SECONDS,
	PublishedTrigger,
	nameOf,
	nameOfChange,
} from './publishedTrigger';

const POLL_MS = POLL_SECONDS * 1000;
/** Prints a line of figures. */
const say = (text: unknown) => void process.stdout.write(`${String(text)}\n`);

/** One call in five fails, as often in each of these ways, and some more are answered with 200 and no list. */
const FAILURES = [
	{ fault: { kind: 'status', status: 500 }, share: 0.04 },
	{ fault: { kind: 'rateLimit', status: 503, seconds: 1 }, share: 0.04 },
	{ fault: { kind: 'html', status: 502 }, share: 0.04 },
	{ fault: { kind: 'cut' }, share: 0.04 },
	{ fault: { kind: 'cutMidBody' }, share: 0.04 },
	{ fault: { kind: 'malformed' }, share: 0.02 },
	{ fault: { kind: 'empty' }, share: 0.02 },
];

/**
 * What happens to n8n while bookings change:
 * - `kill during a poll`: kill -9 while the service has not answered yet
 * - `kill during an execution`: kill -9 while the workflow is working on what the trigger emitted
 * - `crash between writes`: n8n ends, as with kill -9, when it has written the trigger's state and not yet the execution
 * - `publish again`: the workflow is unpublished for a while
 */
type Incident =
	'kill during a poll' | 'kill during an execution' | 'crash between writes' | 'publish again';

interface Plan {
	changes: number;
	/** Over which the changes are spread. */
	seconds: number;
	/** Happen one after the other, evenly spread over the changes. */
	incidents: readonly Incident[];
	/** Whether n8n runs with its durable cursors. */
	durableCursors: boolean;
}

/** Changes bookings while calls fail, and real n8n is killed and its workflow published again. @returns what was made beside what came out */
export async function endure(plan: Plan) {
	const env = plan.durableCursors ? DURABLE_CURSORS : {};
	const preload = join(__dirname, 'crashBetweenWrites.mjs');
	const site = await PublishedTrigger.start(await OwnN8n.start({ env, preload }));
	try {
		return await new Endurance(site, plan).run();
	} finally {
		await site.stop();
	}
}

/**
 * Polling sees the newest state of a booking only, so a booking is changed again only after its last change has come
 * out: then every single change must come out.
 */
class Endurance {
	/** Names of the changes made. */
	private readonly made = new Set<string>();
	/** GUIDs of bookings that were there before. */
	private old: string[] = [];
	/** The last change of each booking. */
	private readonly last = new Map<string, string>();
	private readonly killedAt: number[] = [];
	private workflow!: StoredWorkflow;

	constructor(
		private readonly site: PublishedTrigger,
		private readonly plan: Plan,
	) {}

	async run() {
		const { site } = this;
		const { incidents, changes } = this.plan;
		this.old = (await site.book(Math.ceil(changes / 5))).map(({ guid }) => guid);
		this.workflow = await site.publish();
		await this.setFaults();
		const half = changes / (2 * incidents.length + 2);
		await this.changeUpTo(2 * half);
		for (const [index, incident] of incidents.entries()) {
			await Promise.all([this.happen(incident), this.changeUpTo((2 * index + 3) * half)]);
			say(`${incident}: done after ${this.made.size} changes`);
			await this.changeUpTo((2 * index + 4) * half);
		}
		await site.mend();
		await this.untilAllCameOut();
		// Some polls have the chance to repeat it.
		await site.polls(3);
		await sleep(POLL_MS);
		const report = await this.report();
		say(
			JSON.stringify(
				mapValues(report, (value) => (typeof value === 'number' ? value : size(value))),
			),
		);
		return report;
	}

	/** Rules are tried in turn, so each one's probability is that it meets what the ones before have let pass. */
	private async setFaults(): Promise<void> {
		await this.site.fault({ kind: 'cut' }, { times: 1 });
		let passing = 1;
		for (const { fault, share } of FAILURES) {
			await this.site.fault(fault, { probability: share / passing });
			passing -= share;
		}
	}

	private async changeUpTo(total: number): Promise<void> {
		const { seconds, changes } = this.plan;
		while (this.made.size < Math.round(total)) {
			await this.change(this.made.size);
			await sleep((seconds * 1000) / changes);
		}
	}

	/** A new booking or a change of an old one, some shown in lists a while after they were made. */
	private async change(index: number): Promise<void> {
		const { control } = this.site.sandbox;
		if (index % 20 === 0) {
			await control('PUT', '/visibility', { delayMs: index % 40 === 0 ? 0 : 3000 });
		}
		if (index === Math.floor(this.plan.changes / 2)) await control('POST', '/tokens/revoke');
		const guid = index % 3 === 0 ? undefined : this.nextSettled();
		const status = index % 2 === 0 ? {} : { status: 1 + (index % 4) };
		const message = `Change ${index}`;
		const [changed] =
			guid === undefined
				? await this.site.book(1)
				: [await control<Booking>('PATCH', `/bookings/${guid}`, { message, ...status })];
		if (!changed) throw new Error('The sandbox made no booking.');
		this.made.add(nameOfChange(changed));
		this.last.delete(changed.guid);
		this.last.set(changed.guid, nameOfChange(changed));
	}

	/** The booking whose last change came out longest ago. */
	private nextSettled(): string | undefined {
		const arrived = new Set(
			this.site.recorder.arrivals.map(({ guid, stamp }) => nameOf(guid, stamp)),
		);
		return this.old.shift() ?? [...this.last].find(([, name]) => arrived.has(name))?.[0];
	}

	private async happen(incident: Incident): Promise<void> {
		const { recorder, n8n } = this.site;
		switch (incident) {
			case 'kill during a poll':
				await this.site.untilPollHangs(2000, { times: 1 });
				return await this.killAndRestart();
			case 'kill during an execution':
				await recorder.hold();
				return await this.killAndRestart(() => recorder.release());
			case 'crash between writes':
				writeFileSync(n8n.exchangeFile, '');
				await eventually('n8n has crashed', () => !existsSync(n8n.exchangeFile));
				return await this.killAndRestart();
			case 'publish again':
				await n8n.client.deactivate(this.workflow);
				await sleep(2 * POLL_MS);
				await this.publish();
		}
	}

	private async killAndRestart(release: () => void = () => undefined): Promise<void> {
		await this.site.n8n.killAndRestart(async () => {
			this.killedAt.push(Date.now());
			release();
			await sleep(POLL_MS);
		});
	}

	/** The first poll is part of publishing; where its call fails, a person presses the button again. */
	private async publish(): Promise<void> {
		const activate = () => this.site.n8n.client.activate(this.workflow);
		await eventually('the workflow is published', () => activate().then(Boolean, () => false));
	}

	private async untilAllCameOut(): Promise<void> {
		const isAllOut = async () => {
			const started = await this.site.executionsOf(this.workflow);
			const names = new Set(started.flatMap((one) => one.names));
			return [...this.made].every((name) => names.has(name));
		};
		// What has not come is in the report.
		await eventually('every change has come out', isAllOut, 300_000, 1_000).catch(say);
	}

	private async report() {
		const { site, made } = this;
		const polls = (await site.executionsOf(this.workflow)).filter(({ names }) => names.length > 0);
		const interrupted = new Set(
			this.killedAt.map((moment) => polls.findLast(({ startedAt }) => startedAt <= moment)?.id),
		);
		const emitted = polls.flatMap(({ id, names }) =>
			names.map((name) => ({ name, id, key: `${name} in execution ${id}` })),
		);
		const delivered = site.recorder.arrivals.map(({ guid, stamp, execution }) => ({
			key: `${nameOf(guid, stamp)} in execution ${execution}`,
		}));
		const repeated = Object.values(groupBy(emitted, 'name')).filter((all) => all.length > 1);
		return {
			changes: made.size,
			executions: polls.length,
			/** Emitted and not delivered, by an execution that no kill interrupted. */
			undelivered: differenceBy(emitted, delivered, 'key').filter(({ id }) => !interrupted.has(id)),
			/** Delivered more than once by the same execution: n8n ran it again. */
			runAgain: delivered.length - uniqBy(delivered, 'key').length,
			/** Made, but no execution was started with them. */
			lost: [...made].filter((name) => !emitted.some((one) => one.name === name)),
			/** More than one execution was started with them. */
			repeated,
			/** The same, where the one before was not the last before a kill. */
			repeatedWithoutKill: repeated.filter((all) =>
				all.slice(0, -1).some(({ id }) => !interrupted.has(id)),
			),
			/** Emitted, but not made meanwhile; or delivered, but not emitted. */
			strangers: [
				...emitted.filter(({ name }) => !made.has(name)),
				...differenceBy(delivered, emitted, 'key'),
			],
		};
	}
}
