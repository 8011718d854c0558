import map from 'lodash/map';
import pick from 'lodash/pick';
import union from 'lodash/union';

import { isTransient } from '../../shared/errors/nodeErrors';
import { firstPosition, firstWatermark } from '../follow/next';
import type { FollowSettings, Notice } from '../follow/pollResponse';
import { type Emission, step } from '../follow/step';
import { type Identity, type Start, type StoredStates, chooseStart } from '../state/choose';
import { type State, VERSION } from '../state/stored';
import { Poller, type Service } from './changes';
import type { Mode, PollMemory } from './modes';

/** What a trigger waits for, and how. */
export type PollSettings = FollowSettings & Identity;

/** What a poll needs from its surroundings. */
export interface PollHost<T> extends Service {
	mode: Mode;
	memory: PollMemory;
	load: () => StoredStates;
	/**
	 * Replaces the node's own state.
	 *
	 * @param copy what is kept with the workflow as long as n8n may not have stored the node's own state
	 */
	save: (state: State, copy: State | undefined) => void;
	/** Turns the emitted records into the node's output. */
	present: (records: Emission[]) => T;
	/** Shows notices to the person without failing the poll. */
	report: (notices: string[]) => void;
}

/** How long n8n's scheduler may take to store what a poll has emitted. After that it counts as dropped. */
const STORING_MS = 30_000;
/** What a service is like, or what is forgotten, stays reported for ever; anything else while it lasts. */
const REPORTED_ONCE = /^(cut|mayBeCut|full|undated|echo)\b/;

/**
 * One poll: load → ask → step → store → report. The state is replaced once, after everything that can fail: a poll that fails changes
 * nothing.
 *
 * If there is a state to continue from, the first poll of a publication does not fail on transient errors such as a 429: the next poll
 * gets the same events.
 *
 * @returns the output, or null when nothing is new, another poll of the node is under way, or the last one is still being stored
 * @throws ExplainedError for a stored state that cannot be read; errors of `fetch` and `present`
 */
export async function poll<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const { memory, mode } = host;
	if (memory.running && mode !== 'publication') return null;
	const last = Promise.resolve(memory.running).catch(() => undefined);
	const output = last.then(async () => await pollAlone(host, settings));
	memory.running = output;
	return await output.finally(() => {
		if (memory.running === output) delete memory.running;
	});
}

async function pollAlone<T>(host: PollHost<T>, settings: PollSettings): Promise<T | null> {
	const { mode, memory } = host;
	const start = chooseStart(settings, host.load());
	const { state, polls } = start;
	if (mode === 'scheduler' && isBeingStored(host, polls)) return null;
	const response = await new Poller(start, settings, host).run().catch((error: unknown) => {
		const isBegun = state !== undefined || start.skipped !== undefined;
		if (mode !== 'publication' || !isBegun || !isTransient(error)) throw error;
		return undefined;
	});
	if (!response) {
		if (start.skipped) skipMissed(host, settings, start.skipped, polls);
		return null;
	}
	const { position, emit, notices } = step(response, settings);
	const output = emit.length > 0 ? host.present(emit) : null;
	const reported = state?.reported ?? [];
	const next: State = {
		version: VERSION,
		...pick(settings, 'node', 'watching', 'account'),
		polls: polls + 1,
		position,
		reported: union(
			reported.filter((kind) => REPORTED_ONCE.test(kind)),
			map(notices, 'kind'),
		),
	};
	host.save(next, mode === 'publication' || !state ? next : start.copy);
	if (output) memory.emitted = { atPollCount: polls, at: host.now() };
	const texts = textsOf(start, notices, reported);
	if (texts.length > 0) host.report(texts);
	return output;
}

/** Without 'Catch Up', an outage does not stop publishing: the next poll goes on from this moment. */
function skipMissed(
	host: PollHost<unknown>,
	{ feed }: PollSettings,
	skipped: State,
	polls: number,
): void {
	const { latestDate } = skipped.position;
	const ahead = latestDate ? latestDate.ms - latestDate.at : 0;
	const now = host.now() + ahead;
	const position = firstPosition(feed, now, firstWatermark(feed, now, now), now);
	const next: State = { ...skipped, polls: polls + 1, position };
	host.save(next, next);
}

/** Whether n8n may not have stored the last batch yet: from the state before, the same would come out again. */
function isBeingStored({ memory, now }: PollHost<unknown>, polls: number): boolean {
	if (memory.emitted?.atPollCount !== polls) return false;
	return Math.abs(now() - memory.emitted.at) < STORING_MS;
}

function textsOf(start: Start, notices: readonly Notice[], reported: readonly string[]): string[] {
	const texts = notices.filter(({ kind }) => !reported.includes(kind)).map(({ text }) => text);
	if (start.why === undefined) return texts;
	const from = start.startAt === null ? 'earlier changes were skipped' : "from 'Start From'";
	return [`the trigger started over, as ${start.why}: ${from}`, ...texts];
}
