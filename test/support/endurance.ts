import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChangePlan, type ChangeReport, ChangeRun } from './changeRun';
import { DURABLE_CURSORS, OwnN8n } from './ownN8n';
import { eventually, PATIENT_MS, say } from './progress';
import {
	type Booking,
	POLL_SECONDS,
	PublishedTriggers,
	type StartedWith,
	nameOfChange,
} from './publishedTrigger';

const POLL_MS = POLL_SECONDS * 1000;

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

export interface EndurancePlan extends ChangePlan<Incident> {
	/** Whether n8n runs with its durable cursors. */
	durableCursors: boolean;
}

/** Changes bookings while calls fail, and real n8n is killed and its workflow published again. */
export async function endure(plan: EndurancePlan): Promise<ChangeReport> {
	const env = plan.durableCursors ? DURABLE_CURSORS : {};
	say(`starting n8n${plan.durableCursors ? ' with durable cursors' : ''}`);
	const preload = join(__dirname, 'crashBetweenWrites.mjs');
	const site = await PublishedTriggers.start(OwnN8n.start({ env, preload }));
	try {
		return await new EnduranceRun(site, plan).run();
	} finally {
		await site.stop();
	}
}

/**
 * Polling sees the newest state of a booking only, so a booking is changed again only after its last change has come
 * out: then every single change must come out.
 */
class EnduranceRun extends ChangeRun<Incident, OwnN8n> {
	protected override readonly failures = FAILURES;
	/** GUIDs of bookings that were there before. */
	private old: string[] = [];
	/** The last change of each booking. */
	private readonly last = new Map<string, string>();
	private readonly killedAt: number[] = [];

	override async run(): Promise<ChangeReport> {
		const old = await this.site.book(Math.ceil(this.plan.changes / 5));
		this.old = old.map(({ guid }) => guid);
		return await super.run();
	}

	/** New bookings and changes of old ones, some shown in lists a while after they were made. */
	protected override async change(index: number): Promise<string[]> {
		const { control } = this.site.sandbox;
		if (index % 20 === 0) await control('PUT', '/visibility', { delayMs: index % 40 === 0 ? 0 : 3000 });
		if (index === Math.floor(this.plan.changes / 2)) await control('POST', '/tokens/revoke');
		const guid = index % 3 === 0 ? undefined : this.nextSettled();
		const status = index % 2 === 0 ? {} : { status: 1 + (index % 4) };
		const message = `Change ${index}`;
		const [changed] =
			guid === undefined
				? await this.site.book(1)
				: [await control<Booking>('PATCH', `/bookings/${guid}`, { message, ...status })];
		if (!changed) throw new Error('The sandbox made no booking.');
		const name = nameOfChange(changed);
		this.last.delete(changed.guid);
		this.last.set(changed.guid, name);
		return [name];
	}

	/** The booking whose last change came out longest ago. */
	private nextSettled(): string | undefined {
		const { arrived } = this;
		return this.old.shift() ?? [...this.last].find(([, name]) => arrived.has(name))?.[0];
	}

	protected override needsQuiet(incident: Incident): boolean {
		return incident === 'kill when idle';
	}

	protected override async happen(incident: Incident): Promise<void> {
		const { recorder, n8n } = this.site;
		switch (incident) {
			case 'kill during a poll':
				await this.site.untilPollHangs(2000, { times: 1 });
				return await this.killAndRestart();
			case 'kill during an execution':
				await recorder.hold();
				return await this.killAndRestart(() => recorder.release());
			case 'kill when idle':
				return await this.killAndRestart();
			case 'crash between writes':
				writeFileSync(n8n.exchangeFile, '');
				await eventually('n8n has crashed', () => !existsSync(n8n.exchangeFile), PATIENT_MS);
				return await this.killAndRestart();
			case 'publish again':
				await n8n.client.deactivate(this.workflow);
				await sleep(2 * POLL_MS);
				await this.publish();
		}
	}

	private async killAndRestart(release: () => void = () => undefined): Promise<void> {
		const whileDown = async () => {
			this.killedAt.push(Date.now());
			release();
			await sleep(POLL_MS);
		};
		await this.site.n8n.restart({ kill: true, whileDown });
	}

	/** The first poll is part of publishing; where its call fails, a person presses the button again. */
	private async publish(): Promise<void> {
		const isPublished = () =>
			this.site.n8n.client.activate(this.workflow).then(
				() => true,
				() => false,
			);
		await eventually('the workflow is published', isPublished, PATIENT_MS);
	}

	protected override interrupted(polls: readonly StartedWith[]): ReadonlySet<string> {
		return new Set(
			this.killedAt.flatMap((moment) => polls.findLast(({ startedAt }) => startedAt <= moment)?.id ?? []),
		);
	}
}
