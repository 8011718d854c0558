import { setTimeout as sleep } from 'node:timers/promises';
import differenceBy from 'lodash/differenceBy';
import groupBy from 'lodash/groupBy';
import partition from 'lodash/partition';
import uniqBy from 'lodash/uniqBy';
import type { StoredWorkflow } from '../../dev/n8nClient.ts';
import type { Stats } from '../../sandbox/control/requestLog.ts';
import { eventually, say } from './progress';
import {
	type Host,
	type PublishedTriggers,
	type StartedWith,
	POLL_SECONDS,
	nameOf,
} from './publishedTrigger';

const PATIENCE_MS = 300_000;

export interface ChangePlan<Incident> {
	changes: number;
	/** Over which the changes are spread. */
	seconds: number;
	/** Happen one after the other, evenly spread over the changes. */
	incidents: readonly Incident[];
}

/**
 * Makes changes of bookings of a sandbox whose calls fail, while something happens to n8n, and compares what was made
 * with what came out.
 */
export abstract class ChangeRun<Incident extends string, Running extends Host> {
	/** Names of the changes made. */
	protected readonly made = new Set<string>();
	protected workflow!: StoredWorkflow;

	constructor(
		protected readonly site: PublishedTriggers<Running>,
		protected readonly plan: ChangePlan<Incident>,
	) {}

	/** What share of the calls fails in which way. */
	protected abstract readonly failures: ReadonlyArray<{ fault: object; share: number }>;
	/** @returns the names of the changes made: one or, where so many are left, more */
	protected abstract change(index: number, left: number): Promise<string[]>;
	/** Whether nothing may change, nor come out, before it happens. */
	protected abstract needsQuiet(incident: Incident): boolean;
	protected abstract happen(incident: Incident): Promise<void>;
	/** The executions that a kill has interrupted. */
	protected abstract interrupted(polls: readonly StartedWith[]): ReadonlySet<string>;

	async run() {
		const { incidents, changes } = this.plan;
		const { site } = this;
		this.workflow = await site.publish({ event: 'bookingChanged' });
		await site.sandbox.control('DELETE', '/stats');
		await this.setFaults();
		say(`n8n is ready, the workflow published; ${changes} changes begin`);
		const half = changes / (2 * incidents.length + 2);
		await this.changeUpTo(2 * half);
		for (const [index, incident] of incidents.entries()) {
			if (this.needsQuiet(incident)) await this.untilQuiet();
			await Promise.all([this.happen(incident), this.changeUpTo((2 * index + 3) * half)]);
			say(`${incident}: done after ${this.made.size} changes, ${this.arrived.size} have come out`);
			await this.changeUpTo((2 * index + 4) * half);
		}
		await site.mend();
		await this.untilQuiet();
		const report = await this.report();
		const figures = Object.entries(report).map(
			([name, value]) => `${name} ${Array.isArray(value) ? value.length : value}`,
		);
		say(figures.join('; '));
		return report;
	}

	/** Rules are tried in turn, so each one's probability is that it meets what the ones before have let pass. */
	private async setFaults(): Promise<void> {
		await this.site.fault({ kind: 'cut' }, { times: 1 });
		let passing = 1;
		for (const { fault, share } of this.failures) {
			await this.site.fault(fault, { probability: share / passing });
			passing -= share;
		}
	}

	private async changeUpTo(total: number): Promise<void> {
		const { seconds, changes } = this.plan;
		const target = Math.round(total);
		while (this.made.size < target) {
			const names = await this.change(this.made.size, target - this.made.size);
			for (const name of names) this.made.add(name);
			await sleep((seconds * 1000 * names.length) / changes);
		}
	}

	/** The changes that were delivered. */
	protected get arrived(): ReadonlySet<string> {
		return new Set(this.site.arrivals.map(({ guid, stamp }) => nameOf(guid, stamp)));
	}

	/** Until everything that was made has come out, and some polls have had the chance to repeat it. */
	protected async untilQuiet(): Promise<void> {
		await this.untilAllCameOut();
		await this.site.polls(3);
		await sleep(POLL_SECONDS * 1000);
	}

	private async untilAllCameOut(): Promise<void> {
		let missing: string[] = [];
		const isAllOut = async () => {
			missing = this.missing(this.arrived);
			if (missing.length === 0) return true;
			const started = await this.site.executionsOf(this.workflow);
			missing = this.missing(new Set(started.flatMap(({ names }) => names)));
			return missing.length === 0;
		};
		try {
			await eventually('every change has come out', isAllOut, PATIENCE_MS);
		} catch (error) {
			say(`still missing: ${missing.join(', ')} (${String(error)})`);
		}
	}

	private missing(seen: ReadonlySet<string>): string[] {
		return [...this.made].filter((name) => !seen.has(name));
	}

	private async report() {
		const { site, made } = this;
		const { requests, failedCalls } = await site.sandbox.control<Stats>('GET', '/stats');
		const started = await site.executionsOf(this.workflow);
		const polls = started.filter(({ names }) => names.length > 0);
		const interrupted = this.interrupted(polls);
		const emitted = polls.flatMap(({ id, names }) =>
			names.map((name) => ({ name, id, key: `${name} in execution ${id}` })),
		);
		const repeated = Object.values(groupBy(emitted, 'name')).filter((all) => all.length > 1);
		const delivered = site.arrivals.map(({ guid, stamp, execution }) => {
			const name = nameOf(guid, stamp);
			return { name, key: `${name} in execution ${execution}` };
		});
		const missing = differenceBy(emitted, delivered, 'key');
		const [cutOff, undelivered] = partition(missing, ({ id }) => interrupted.has(id));
		return {
			changes: made.size,
			calls: requests,
			failedCalls,
			failedPolls: started.length - polls.length,
			executions: polls.length,
			/** Items that executions were started with, and that the node behind the trigger delivered. */
			emitted: emitted.length,
			delivered: delivered.length,
			/** Emitted and not delivered, because a kill interrupted the execution. */
			cutOff: cutOff.length,
			/** Emitted and not delivered, by an execution that was not interrupted. */
			undelivered: undelivered.map(({ key }) => key),
			/** Delivered more than once by the same execution: n8n ran it again. */
			runAgain: delivered.length - uniqBy(delivered, 'key').length,
			/** Made, but no execution was started with them. */
			lost: this.missing(new Set(emitted.map(({ name }) => name))),
			/** More than one execution was started with them. */
			repeated: repeated.map((all) => all.map(({ key }) => key).join(', ')),
			/** Those of `repeated` that were not in the execution started last before a kill. */
			repeatedWithoutKill: repeated
				.filter((all) => all.slice(0, -1).some(({ id }) => !interrupted.has(id)))
				.map(([first]) => first?.name),
			/** Emitted, but not made meanwhile; or delivered, but not emitted. */
			strangers: [
				...emitted.filter(({ name }) => !made.has(name)),
				...differenceBy(delivered, emitted, 'key'),
			].map(({ key }) => key),
		};
	}
}

export type ChangeReport = Awaited<ReturnType<ChangeRun<string, Host>['run']>>;
